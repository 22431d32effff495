// `assay judge` as somebody in front of a terminal meets it.
#include "tests/end_to_end/command.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "os/file.h"
#include "tests/judging/fixture_archives.h"

namespace assay::test {
namespace {

const std::string kExamples = ASSAY_SOURCE_DIR "/examples";

Ran judge_command(const std::string& problem, std::vector<std::string> arguments) {
  std::vector<std::string> argv{assay_binary(), "judge", "--problem", problem};
  if (::geteuid() != 0) argv.push_back("--allow-degraded");
  const auto is_about_the_cache = [](const std::string& word) {
    return word.starts_with("--cache");
  };
  if (std::ranges::none_of(arguments, is_about_the_cache))
    argv.insert(argv.end(), {"--cache-level", "none"});
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(argv);
}

Ran judge_example(const std::string& example, const std::string& file,
                  std::vector<std::string> arguments = {}) {
  arguments.push_back(kExamples + "/" + example + "/" + file);
  return judge_command(kExamples + "/" + example, arguments);
}

TEST(JudgeCommand, ExitsWithZeroOnlyWhenAllIsAccepted) {
  const Ran right = judge_example("a_plus_b", "right.c");
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  const Ran wrong = judge_example("a_plus_b", "overflow.cpp");
  EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
  EXPECT_NE(wrong.out.find("first failure: 10"), std::string::npos) << wrong.out;
  const Ran broken = judge_example("a_plus_b", "broken.cpp");
  EXPECT_EQ(broken.code, 1) << broken.out << broken.err;
  EXPECT_NE(broken.out.find("was not declared"), std::string::npos) << broken.out;
}

TEST(JudgeCommand, PrintsTheWholeResultAsJson) {
  const Ran ran = judge_example("range_sums", "unsigned.py", {"--json"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_EQ(json_field(ran.out, "status"), "Finished") << ran.out;
  for (const char* part : {R"("score":90)", R"("compile":null)", R"("failedTestId":"signs-2")",
                           R"("subtasks":[{"id":"small","score":30,"solved":true})",
                           R"("timestamps":{"receivedAt":")"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

TEST(JudgeCommand, StopsWhenItIsToldTo) {
  const Ran ran = judge_example("range_sums", "first_only.py", {"--stop", "first"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("signs-1  SKIPPED"), std::string::npos) << ran.out;
}

TEST(JudgeCommand, TellsWhatASlowSolutionWouldHaveGot) {
  const Scratch scratch;
  (void)scratch.write("1.in", "");
  (void)scratch.write("1.ans", "1");
  (void)scratch.write("problem.toml", "tests = \"*.in\"\nlimits = { cpuTimeMs = 200 }\n");
  const std::string slow =
      scratch.write("a.py", "import time\nwhile time.process_time() < 0.28: pass\nprint(1)\n");
  const Ran table = judge_command(scratch.path(), {"--soft", "2", slow});
  EXPECT_EQ(table.code, 1) << table.err;
  EXPECT_NE(table.out.find("would pass at 2x"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("without the limit: AC"), std::string::npos) << table.out;
  const Ran json = judge_command(scratch.path(), {"--soft", "2", "--json", slow});
  EXPECT_EQ(json_field(json.out, "verdictWithoutLimit"), "AC") << json.out;
}

// Half of its time and a quarter of its memory, each of at most six signs.
TEST(JudgeCommand, ShowsHowMuchOfItsLimitsATestTook) {
  const Scratch scratch;
  (void)scratch.write("1.in", "");
  (void)scratch.write("1.ans", "1");
  (void)scratch.write("problem.toml",
                      "tests = \"*.in\"\nlimits = { cpuTimeMs = 2000, memoryMB = 400 }\n");
  const std::string half = scratch.write(
      "a.py",
      "import time\nx = b'x' * 80_000_000\nwhile time.process_time() < 0.9: pass\nprint(1)\n");
  const Ran ran = judge_command(scratch.path(), {half});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("AC      ###... "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(" ms  ##.... "), std::string::npos) << ran.out;
}

TEST(JudgeCommand, ChecksTheSyntaxFirstWhenAsked) {
  const Scratch scratch;
  const std::string broken = scratch.write("a.py", "print((1)\n");
  const Ran table = judge_command(kExamples + "/a_plus_b", {"--lint", broken});
  EXPECT_EQ(table.code, 1) << table.err;
  EXPECT_NE(table.out.find("SyntaxError"), std::string::npos) << table.out;
  const Ran json = judge_command(kExamples + "/a_plus_b", {"--lint", "--json", broken});
  EXPECT_NE(json.out.find(R"("lint":{"ok":false)"), std::string::npos) << json.out;
}

TEST(JudgeCommand, ShowsTheDialogueOfAFailingTestSideBySide) {
  const Ran ran = judge_example("guess_number", "one_by_one.cpp");
  EXPECT_EQ(ran.code, 1) << ran.err;
  for (const char* part : {"dialogue of test 1:", "interactor", " | 7\n", "ended first"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
  const Ran json = judge_example("guess_number", "one_by_one.cpp", {"--json", "--dialogue"});
  EXPECT_NE(json.out.find(R"("from":"solution","atUs":)"), std::string::npos) << json.out;
  const Ran short_json = judge_example("guess_number", "one_by_one.cpp", {"--json"});
  EXPECT_EQ(short_json.out.find(R"("dialogue")"), std::string::npos);
  EXPECT_NE(short_json.out.find(R"("firstToEnd":"interactor")"), std::string::npos);
}

TEST(JudgeCommand, ShowsWhichProcessSpokeWithTheManager) {
  const Ran ran = judge_example("two_processes", "wrong.cpp");
  EXPECT_EQ(ran.code, 1) << ran.err;
  for (const char* part :
       {"process 1 says 8", "manager", "[0] 3", "| [0] tell 3\n", "| [1] sum 8\n", "ended first"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

Ran interact_command(std::vector<std::string> arguments,
                     const std::string& home = kExamples + "/guess_number/") {
  std::vector<std::string> argv{assay_binary(),          "interact", "--interactor",
                                home + "interactor.cpp", "--input",  home + "tests/1.in"};
  if (::geteuid() != 0) argv.push_back("--allow-degraded");
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(argv);
}

TEST(InteractCommand, RunsOnePairAndShowsWhatTheySaid) {
  const std::string right = kExamples + "/guess_number/right.cpp";
  const Ran ran = interact_command({right});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  for (const char* part : {"AC", "100 ", "| 50\n", "= "})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

TEST(InteractCommand, WritesTheDialogueAsAFile) {
  const Scratch scratch;
  const std::string right = kExamples + "/guess_number/right.cpp";
  const std::string pio = scratch.path() + "/a.pio";
  const Ran ran = interact_command({right, "--pio", pio, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(json_field(ran.out, "status"), "Finished") << ran.out;
  EXPECT_EQ(os::read_whole(pio).value(), "<\n>\n<100\n>50\n<<\n>25\n<>\n>37\n<=\n");
  const std::string pout = scratch.path() + "/a.pout";
  EXPECT_EQ(interact_command({right, "--pio", pout}).code, 0);
  EXPECT_EQ(os::read_whole(pout).value(), "50\n25\n37\n");
}

TEST(InteractCommand, NeverEmptiesWhatItReads) {
  const Scratch scratch;
  const std::string answer = scratch.path() + "/answer.pin";
  std::ofstream(answer) << "kept";
  const std::string right = kExamples + "/guess_number/right.cpp";
  const Ran ran = interact_command({right, "--answer", answer, "--pio", answer});
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_NE(ran.err.find("is read by this run, too"), std::string::npos) << ran.err;
  EXPECT_EQ(os::read_whole(answer).value(), "kept");
}

TEST(InteractCommand, GivesTheSolutionATerminal) {
  const Scratch scratch;
  const std::string solution = scratch.path() + "/at_terminal.py";
  std::ofstream(solution) << "import os\nassert os.isatty(0) and os.isatty(1)\n"
                             "low, high = 1, int(input())\n"
                             "while True:\n"
                             "  print((low + high) // 2)\n"
                             "  said = input()\n"
                             "  if said == '=': break\n"
                             "  if said == '<': high = (low + high) // 2 - 1\n"
                             "  else: low = (low + high) // 2 + 1\n";
  const Ran ran = interact_command({solution, "--terminal"});
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

// As testlib.h is.
TEST(JudgeCommand, GivesProgramsOfTheProblemTheHeadersBesideThem) {
  const Scratch scratch;
  const std::string home = scratch.path() + "/";
  ASSERT_EQ(::mkdir((home + "tests").c_str(), 0755), 0);
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"tests/1.in", "5\n"},
           {"tests/1.ans", "5\n"},
           {"verdicts.h", "enum { OK = 0, NO = 1 };\n"},
           {"check.cpp", "#include \"verdicts.h\"\nint main() { return OK; }\n"},
           {"interactor.cpp",
            "#include \"verdicts.h\"\n#include <cstdio>\nint main() { int x = 0; "
            "return scanf(\"%d\", &x) == 1 && x == 5 ? OK : NO; }\n"},
           {"problem.toml", "checker = { source = \"check.cpp\" }\n"},
           {"five.py", "print(5)\n"}})
    std::ofstream(home + name) << text;
  const Ran judged = judge_command(scratch.path(), {home + "five.py"});
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  const Ran talked = interact_command({home + "five.py"}, home);
  EXPECT_EQ(talked.code, 0) << talked.out << talked.err;
}

TEST(InteractCommand, SaysWhatIsWrongWithItsArguments) {
  const std::string right = kExamples + "/guess_number/right.cpp";
  for (const auto& [arguments, complaint] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{right, "--protocol", "morse"}, "--protocol is testlib or icpc, not 'morse'"},
           {{right, "--cpu", "long"}, "--cpu: 'long'"},
           {{right, "--cpu", "0s"}, "--cpu: must be more than 0"},
           {{right, "--memory", "0"}, "--memory: must be more than 0"},
           {{right, "--answer", "/nowhere"}, "/nowhere"},
           {{right, "--answer", "/dev/zero"}, "--answer: '/dev/zero' is not a regular file"},
           {{right, "--pio", "a.txt"}, "must end in .pio, .interaction, .pin or .pout"},
           {{right, "--pio", "/nowhere/a.pio"}, "/nowhere/a.pio"},
           {{"/nowhere.cpp"}, "/nowhere.cpp"}}) {
    const Ran ran = interact_command(arguments);
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_NE(ran.err.find(complaint), std::string::npos) << ran.err;
  }
}

TEST(JudgeCommand, ShowsWhatTheScorerSays) {
  const Ran json = judge_example("quick_sums", "formula.py", {"--json"});
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_NE(json.out.find(R"("breakdown":{"quick":50})"), std::string::npos) << json.out;
}

TEST(JudgeCommand, TakesADirectoryAnArchiveOrSeveralFiles) {
  const Ran directory = judge_example("make_project", "right");
  EXPECT_EQ(directory.code, 0) << directory.out << directory.err;
  const Scratch scratch;
  const std::vector<Packed> files = files_below(kExamples + "/make_project/right");
  const std::string zip = scratch.write("project.zip", pack(files, {"zip"}));
  const Ran archive = judge_command(kExamples + "/make_project", {"--language", "c", zip});
  EXPECT_EQ(archive.code, 0) << archive.out << archive.err;
  const std::string right = kExamples + "/output_only/right/";
  const Ran outputs = judge_command(kExamples + "/output_only", {right + "1.out", right + "2.out",
                                                                 right + "3.out", right + "4.out"});
  EXPECT_EQ(outputs.code, 0) << outputs.out << outputs.err;
}

TEST(JudgeCommand, SaysWhyAnArchiveWasRefused) {
  const Scratch scratch;
  const std::string bad =
      scratch.write("bad.tar", pack({{"Makefile", "/etc/shadow", EntryType::SymbolicLink}}));
  const Ran ran = judge_command(kExamples + "/make_project", {bad});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.out.find("'Makefile' is a symbolic link"), std::string::npos) << ran.out;
}

TEST(JudgeCommand, ATestThatDidNotRunTookNoTime) {
  const Ran ran = judge_example("output_only", "one_missing", {"--json"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.out.find(R"("testId":"1","verdict":"AC","timeMs":null,"wallTimeMs":null)"),
            std::string::npos)
      << ran.out;
  const Ran table = judge_example("output_only", "one_missing");
  EXPECT_NE(table.out.find("there is no output '2.out'"), std::string::npos) << table.out;
}

TEST(JudgeCommand, TellsWhereTheTimeWentWhenAsked) {
  const Ran ran = judge_example("a_plus_b", "right.cpp", {"--profile"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"where the time went", "compiling", "testing", "programs", "all of it"})
    EXPECT_NE(ran.err.find(part), std::string::npos) << part << ran.err;
  EXPECT_EQ(ran.out.find("where the time went"), std::string::npos);
}

struct Mistake {
  std::string description{};  // a problem.toml
  std::vector<std::string> arguments{};
  std::string complaint{};
};

TEST(JudgeCommand, EveryMistakeIsOneSentenceAndExitCodeTwo) {
  const Mistake mistakes[] = {
      {"", {"--language", "klingon"}, "no language 'klingon'"},
      {"", {"--policy", "anarchy"}, "anarchy"},
      {"", {"--stop", "never"}, "--stop is none, first or group, not 'never'"},
      {"", {"--jobs", "0"}, "--jobs"},
      {"", {"--soft", "0.5"}, "--soft"},
      {"", {"--soft", "1e9"}, "--soft"},
      {"", {"--count", "luckiest"}, "--count"},
      {"", {"--sanitize"}, "has no sanitizers"},
      {"", {"--cache-level", "some"}, "--cache-level is none, transient, compilation or all"},
      {"", {"--cache", "/proc/no/cache"}, "/proc/no/cache"},
      {"", {"--flag=-fplugin=x.so", "--language", "c"}, "-fplugin=x.so"},
      {"colour = 1", {}, "problem.toml:2:1: unknown key 'colour'"},
      {"tests = []", {}, "problem.toml:1:9: the problem has no tests"},
      {"checker = { source = \"check.c\" }", {}, "the checker does not compile"},
  };
  for (const Mistake& mistake : mistakes) {
    const Scratch scratch;
    const std::string problem = scratch.path();
    (void)scratch.write("check.c", "int main(void) { return x; }");
    (void)scratch.write("1.in", "");
    (void)scratch.write("1.ans", "");
    const bool own_tests = mistake.description == "tests = []";
    (void)scratch.write("problem.toml", own_tests ? mistake.description
                                                  : "tests = \"*.in\"\n" + mistake.description);
    std::vector<std::string> arguments = mistake.arguments;
    arguments.push_back(scratch.write("a.py", "print(1)"));
    const Ran ran = judge_command(problem, arguments);
    EXPECT_EQ(ran.code, 2) << mistake.complaint << ran.out;
    EXPECT_NE(ran.err.find(mistake.complaint), std::string::npos) << ran.err;
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
}

TEST(JudgeCommand, AFileWithoutAKnownEndingNeedsALanguage) {
  const Scratch scratch;
  const Ran ran = judge_command(kExamples + "/a_plus_b", {scratch.write("a.xyz", "")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("Say --language"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay::test
