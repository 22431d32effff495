#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "judge/compare_names.h"
#include "judge/native_files.h"
#include "judge/native_problem.h"

namespace assay::judge {
namespace {

namespace fs = std::filesystem;

const LanguageSet& languages() {
  static const LanguageSet set = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  return set;
}

class NativeProblem : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "assay-problem-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home_ = name;
    fs::create_directory(home_ / "tests");
  }
  void TearDown() override { fs::remove_all(home_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(home_ / name) << text;
  }
  void write_test(const std::string& id) {
    write("tests/" + id + ".in", "in " + id);
    write("tests/" + id + ".ans", "out " + id);
  }
  Result<Problem> load(const std::string& description) {
    write("problem.toml", description);
    return load_problem(home_, languages());
  }
  // The complaint, without the directory's name.
  std::string complaint(const std::string& description) {
    const auto loaded = load(description);
    if (loaded) return "it was loaded";
    std::string text = describe(loaded.error());
    for (std::size_t at = 0; (at = text.find(home_.string() + "/")) != std::string::npos;)
      text.erase(at, home_.string().size() + 1);
    return text;
  }

  fs::path home_;
};

TEST_F(NativeProblem, ALimitOfZeroIsAsGoodAsAbsent) {
  write_test("1");
  const auto problem = load(R"(
[limits]
cpuTimeMs = 0
wallTimeMs = 0
idleTimeMs = 0
memoryMB = 0
stackMB = 0
outputMB = 0
pids = 0
)");
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->limits, sandbox::Limits{});
}

TEST_F(NativeProblem, TestsAreFoundInTheOrderOfTheirNumbers) {
  for (const char* id : {"10", "2", "1"})
    write_test(id);
  const auto problem = load("");
  ASSERT_TRUE(problem) << describe(problem.error());
  ASSERT_EQ(problem->tests.size(), 3U);
  EXPECT_EQ(problem->tests[0].id, "1");
  EXPECT_EQ(problem->tests[1].id, "2");
  EXPECT_EQ(problem->tests[2].id, "10");
  EXPECT_EQ(head_and_tail(problem->tests[2].answer.file->get(), 100_B).value(), "out 10");
}

TEST_F(NativeProblem, EveryFieldIsRead) {
  write_test("1");
  write("check.py", "print(1)");
  const auto problem = load(R"(type = "batch"
ioMode = "fileio"
inputFileName = "a.in"
outputFileName = "a.out"
stop = "group"
limits = { cpuTimeMs = 1, wallTimeMs = 2, idleTimeMs = 3, memoryMB = 4, stackMB = 5, outputMB = 6, pids = 7 }
checker = { source = "check.py", protocol = "cms", args = ["x"], limits = { cpuTimeMs = 8 } }
tests = [{ testId = "t", input = "tests/1.in", answer = "tests/1.ans", score = 2.5, subtaskId = "s", limits = { cpuTimeMs = 9 } }]
subtasks = [{ id = "s", score = 3, rule = "min", dependsOn = [] }]
)");
  ASSERT_TRUE(problem) << describe(problem.error());
  using std::chrono::milliseconds;
  EXPECT_EQ(problem->io_mode, IoMode::FileIo);
  EXPECT_EQ(problem->stop, StopRule::Group);
  EXPECT_EQ(problem->limits, (sandbox::Limits{.cpu_time = milliseconds(1),
                                              .wall_time = milliseconds(2),
                                              .idle_time = milliseconds(3),
                                              .memory = 4_MiB,
                                              .stack = 5_MiB,
                                              .output = 6_MiB,
                                              .processes = 7}));
  const auto& checker = std::get<CheckerProgram>(problem->checker);
  EXPECT_EQ(checker.source.language, "python3");
  EXPECT_EQ(checker.protocol, Protocol::Cms);
  EXPECT_EQ(checker.limits.cpu_time, milliseconds(8));
  EXPECT_EQ(problem->tests.at(0).score, 2.5);
  EXPECT_EQ(problem->tests.at(0).limits.cpu_time, milliseconds(9));
  EXPECT_EQ(problem->subtasks.at(0).rule, SubtaskRule::Min);
}

TEST_F(NativeProblem, LimitsMayBeSpelledAsInFuzojsPackages) {
  write_test("1");
  const auto problem = load("limits = { timeMs = 1, wallTimeMs = 2, memoryMB = 3, processes = 4 }");
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->limits, (sandbox::Limits{.cpu_time = std::chrono::milliseconds(1),
                                              .wall_time = std::chrono::milliseconds(2),
                                              .memory = 3_MiB,
                                              .processes = 4}));
}

TEST_F(NativeProblem, AScorerIsReadWithItsLimits) {
  write_test("1");
  write("score.py", "print(1)");
  const auto problem = load(R"(scorer = { source = "score.py", limits = { cpuTimeMs = 8 } }
tests = [{ testId = "t", input = "tests/1.in", answer = "tests/1.ans", subtaskId = "s" }]
subtasks = [{ id = "s", score = 3, rule = "script" }]
)");
  ASSERT_TRUE(problem) << describe(problem.error());
  ASSERT_TRUE(problem->scorer);
  EXPECT_EQ(problem->scorer->source.language, "python3");
  EXPECT_EQ(problem->scorer->limits.cpu_time, std::chrono::milliseconds(8));
  EXPECT_EQ(problem->subtasks.at(0).rule, SubtaskRule::Script);
  EXPECT_FALSE(load("scorer = { language = \"python3\" }"));
}

TEST_F(NativeProblem, ComplaintsNameLineAndColumn) {
  write_test("1");
  EXPECT_EQ(complaint("type = \"batch\"\nioMode = \"telepathy\"\n"),
            "problem.toml:2:10: 'telepathy' is none of stdio, fileio");
  EXPECT_EQ(complaint("\n[limits]\ncpuTime = 3\n"), "problem.toml:3:1: unknown key 'cpuTime'");
  EXPECT_EQ(complaint("[limits]\nmemoryMB = -1\n"),
            "problem.toml:2:12: must be a whole number of 0 or more");
  EXPECT_EQ(complaint("checker = {}\n"),
            "problem.toml:1:11: a checker needs either a 'name' or a 'source'");
}

TEST_F(NativeProblem, ADirectoryWithoutTestsOrWithoutAnAnswerIsRefused) {
  EXPECT_EQ(complaint(""), "problem.toml:1:1: no test fits 'tests/*.in'");
  write("tests/7.in", "x");
  EXPECT_EQ(
      complaint(""),
      "problem.toml:1:1: the answer of test '7': open 'tests/7.ans': No such file or directory");
}

TEST_F(NativeProblem, WhatDoesNotFitTogetherIsRefused) {
  write_test("1");
  const std::string test = R"({ testId = "1", input = "tests/1.in", answer = "tests/1.ans" })";
  EXPECT_EQ(complaint("tests = [" + test + ", " + test + "]"),
            "problem.toml: there are two tests '1'");
  EXPECT_EQ(
      complaint("ioMode = \"fileio\""),
      "problem.toml: fileio needs an inputFileName and an outputFileName without directories");
  EXPECT_EQ(complaint("subtasks = [{ id = \"s\" }]"), "problem.toml: subtask 's' has no tests");
}

TEST_F(NativeProblem, ASecondPassNeedsAValidatorThatCanAskForIt) {
  write_test("1");
  write("check.py", "");
  const auto with = [](const std::string& protocol, const std::string& passes) {
    return "type = \"multipass\"\n" + passes +
           "[checker]\nlanguage = \"python3\"\nsource = \"check.py\"\nprotocol = \"" + protocol +
           "\"\n";
  };
  EXPECT_EQ(
      complaint(with("testlib", "")),
      "problem.toml: a multipass problem needs a checker with the protocol icpc: it says what "
      "follows");
  EXPECT_EQ(complaint("type = \"multipass\""), complaint(with("testlib", "")));
  EXPECT_EQ(complaint(with("icpc", "passes = 1\n")), "problem.toml: passes must be from 2 to 100");
  EXPECT_EQ(complaint(with("icpc", "passes = 101\n")),
            "problem.toml: passes must be from 2 to 100");
  EXPECT_NE(complaint(with("icpc", "passes = \"many\"\n")).find("must be a number"),
            std::string::npos);
  EXPECT_EQ(complaint("passes = 3"), "problem.toml: passes are for multipass problems alone");
}

TEST_F(NativeProblem, SubtasksThatWaitForEachOtherAreRefused) {
  write_test("1");
  write_test("2");
  EXPECT_EQ(
      complaint(
          R"(tests = [{ testId = "1", input = "tests/1.in", answer = "tests/1.ans", subtaskId = "a" },
         { testId = "2", input = "tests/2.in", answer = "tests/2.ans", subtaskId = "b" }]
subtasks = [{ id = "a", dependsOn = ["b"] }, { id = "b", dependsOn = ["a"] }]
)"),
      "problem.toml: subtask 'a' depends on itself");
  EXPECT_EQ(complaint(R"(tests = [{ pattern = "tests/*.in", subtaskId = "a" }]
subtasks = [{ id = "a", dependsOn = ["a"] }]
)"),
            "problem.toml: subtask 'a' depends on itself");
}

TEST_F(NativeProblem, FilesOutsideOfTheDirectoryAreOutOfReach) {
  write_test("1");
  fs::create_symlink("/etc/passwd", home_ / "tests/1b.ans");
  write("tests/1b.in", "");
  EXPECT_NE(complaint("").find("the answer of test '1b'"), std::string::npos);
  EXPECT_NE(
      complaint(R"(tests = [{ testId = "x", input = "../../etc/passwd", answer = "tests/1.ans" }])")
          .find("open '../../etc/passwd'"),
      std::string::npos);
}

TEST_F(NativeProblem, UnknownCheckersProtocolsAndLanguagesAreRefused) {
  write_test("1");
  write("check.xyz", "");
  EXPECT_NE(complaint("checker = { name = \"guess\" }").find("problem.toml:1:11: "),
            std::string::npos);
  EXPECT_EQ(complaint("checker = { source = \"check.xyz\" }"),
            "problem.toml:1:11: which language is 'check.xyz'? Say 'language'");
  EXPECT_EQ(complaint("checker = { source = \"check.xyz\", protocol = \"morse\" }"),
            "problem.toml:1:11: there is no protocol 'morse'");
}

TEST_F(NativeProblem, ProjectsGradersAndOutputsAreRead) {
  write_test("1");
  write("Makefile", "a.out:");
  write("grader.cpp", "int main() {}");
  const auto project = load("buildStrategy = \"makeFunctionOnly\"\nbuildFiles = [\"Makefile\"]\n");
  ASSERT_TRUE(project) << describe(project.error());
  EXPECT_EQ(project->build, BuildStrategy::MakeFunctionOnly);
  EXPECT_EQ(project->build_files.at(0).name, "Makefile");
  EXPECT_EQ(project->build_files.at(0).content, "a.out:");
  EXPECT_EQ(load("buildStrategy = 1")->build, BuildStrategy::MakeNormal);
  EXPECT_EQ(load("buildStrategy = \"1\"")->build, BuildStrategy::MakeNormal);
  EXPECT_TRUE(load("buildStrategy = 2\nbuildArchive = \"Makefile\"")->build_archive->file);
  const auto graded = load("[grader.cpp]\nfiles = [\"grader.cpp\"]\nsubmission = \"answer.cpp\"\n");
  ASSERT_TRUE(graded) << describe(graded.error());
  EXPECT_EQ(graded->graders.at(0).language, "cpp");
  EXPECT_EQ(graded->graders.at(0).files.at(0).content, "int main() {}");
  EXPECT_EQ(graded->graders.at(0).submission, "answer.cpp");
  EXPECT_EQ(load("type = \"outputOnly\"")->kind, ProblemKind::OutputOnly);
}

TEST_F(NativeProblem, GradersMayBeWrittenAsInTheApi) {
  write_test("1");
  write("grader.cpp", "int main() {}");
  const auto graded = load(
      "[[graders]]\nlanguage = \"cpp\"\nfiles = [\"grader.cpp\"]\nsubmission = \"answer.cpp\"\n");
  ASSERT_TRUE(graded) << describe(graded.error());
  EXPECT_EQ(graded->graders.at(0).language, "cpp");
  EXPECT_EQ(graded->graders.at(0).files.at(0).content, "int main() {}");
  EXPECT_EQ(complaint("[[graders]]\nfiles = [\"grader.cpp\"]\n"),
            "problem.toml:1:1: a grader needs a 'language'");
}

std::vector<std::string> names_of(const Result<Problem>& problem) {
  if (!problem) return {describe(problem.error())};
  std::vector<std::string> names;
  for (const SourceFile& file : std::get<CheckerProgram>(problem->checker).source.sources)
    names.push_back(file.name);
  return names;
}
using Names = std::vector<std::string>;

TEST_F(NativeProblem, HeadersBesideASourceGoWithIt) {
  write_test("1");
  fs::create_directories(home_ / "checkers" / "odd.h");
  fs::create_symlink("nowhere", home_ / "checkers" / "broken.h");
  for (const char* name : {"checkers/check.cpp", "checkers/testlib.h", "checkers/more.hpp",
                           "checkers/other.cpp", "checkers/check.py", "elsewhere.h"})
    write(name, name);
  const auto problem = load("checker = { source = \"checkers/check.cpp\" }");
  EXPECT_EQ(names_of(problem), (Names{"check.cpp", "testlib.h", "more.hpp"}));
  EXPECT_EQ(std::get<CheckerProgram>(problem->checker).source.sources.at(1).content,
            "checkers/testlib.h");
  EXPECT_EQ(names_of(load("checker = { source = \"checkers/check.py\" }")), Names{"check.py"});
  const auto partner =
      load("type = \"interactive\"\n[interactor]\nsource = \"checkers/check.cpp\"\n");
  ASSERT_TRUE(partner) << describe(partner.error());
  EXPECT_EQ(partner->interactor->source.sources.size(), 3U);
}

TEST_F(NativeProblem, SourcesAreThoseThatAreNamed) {
  write_test("1");
  fs::create_directory(home_ / "lib");
  for (const char* name : {"check.cpp", "lib/testlib.h", "unasked.h"})
    write(name, name);
  const auto problem = load("checker = { sources = [\"lib/testlib.h\", \"check.cpp\"] }");
  EXPECT_EQ(names_of(problem), (Names{"testlib.h", "check.cpp"}));
  EXPECT_EQ(std::get<CheckerProgram>(problem->checker).source.language, "cpp");
  EXPECT_EQ(complaint("checker = { sources = [] }"), "problem.toml:1:23: has no file in it");
  EXPECT_EQ(complaint("checker = { source = \"check.cpp\", sources = [\"check.cpp\"] }"),
            "problem.toml:1:45: 'source' and 'sources' are the same");
  EXPECT_NE(complaint("checker = { sources = [\"../check.cpp\"] }").find("problem.toml:1:11: "),
            std::string::npos);
  EXPECT_EQ(complaint("[interactor]\nname = \"tokens\"\n"), "problem.toml:1:1: unknown key 'name'");
}

TEST_F(NativeProblem, ACheckerMayBeAName) {
  write_test("1");
  const auto problem = load("checker = \"exact\"");
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_TRUE(problem->has_own_checker);
  EXPECT_EQ(std::get<Comparison>(problem->checker), comparison_named("exact").value());
  EXPECT_NE(complaint("checker = \"guess\"").find("problem.toml:1:11: "), std::string::npos);
}

TEST_F(NativeProblem, WhatNobodySaysOfTheCheckerIsThePolicys) {
  write_test("1");
  write("check.py", "");
  EXPECT_TRUE(load("")->checks_by_policy);
  EXPECT_TRUE(load("checker = { source = \"check.py\" }")->checks_by_policy);
  EXPECT_FALSE(load("checker = \"tokens\"")->checks_by_policy);
  EXPECT_FALSE(
      load("checker = { source = \"check.py\", protocol = \"testlib\" }")->checks_by_policy);
}

TEST_F(NativeProblem, FlagsAreGranted) {
  write_test("1");
  EXPECT_EQ(load("grantedFlags = [\"-I*\"]")->granted_flags, Names{"-I*"});
}

TEST_F(NativeProblem, ATestNeedsItsInputAlone) {
  write_test("a");
  write("tests/b.in", "b");
  write("check.py", "");
  const std::string a = "{ input = \"tests/a.in\" }";
  const std::string b = "{ input = \"tests/b.in\" }";
  const auto problem = load("tests = [" + a + ", " + a + "]");
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->tests.at(0).id, "1");
  EXPECT_EQ(problem->tests.at(1).id, "2");
  EXPECT_EQ(head_and_tail(problem->tests.at(1).answer.file->get(), 100_B).value(), "out a");
  EXPECT_EQ(complaint("tests = [" + b + "]"),
            "problem.toml:1:10: the answer of test '1': open 'tests/b.ans': No such file or "
            "directory");
  EXPECT_TRUE(load("checker = { source = \"check.py\" }\ntests = [" + b + "]"));
  EXPECT_NE(complaint("tests = [{ testId = \"1\" }]").find("a test needs an 'input'"),
            std::string::npos);
}

TEST_F(NativeProblem, TestsOfTheSameNameAreToldApartByTheirFolders) {
  for (const char* folder : {"data/sample", "data/secret"}) {
    fs::create_directories(home_ / folder);
    for (const char* name : {"/1.in", "/1.ans"})
      write(std::string(folder) + name, "");
  }
  write("data/secret/2.in", "");
  write("data/secret/2.ans", "");
  const auto problem =
      load("tests = [{ pattern = \"data/sample/*.in\" }, { pattern = \"data/secret/*.in\" }]");
  ASSERT_TRUE(problem) << describe(problem.error());
  Names ids;
  for (const ProblemTest& test : problem->tests)
    ids.push_back(test.id);
  EXPECT_EQ(ids, (Names{"data/sample/1", "data/secret/1", "2"}));
}

TEST_F(NativeProblem, InteractorsAreRead) {
  write_test("1");
  write("talk.cpp", "int main() {}");
  write("tests/2.in", "its answer is nobody's business");
  const std::string text =
      "type = \"interactive\"\n[interactor]\nsource = \"talk.cpp\"\nprotocol = \"icpc\"\n"
      "args = [\"-x\"]\nlimits = { cpuTimeMs = 7000 }\n";
  const auto problem = load(text);
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->kind, ProblemKind::Interactive);
  EXPECT_EQ(problem->interactor->protocol, Protocol::Icpc);
  EXPECT_EQ(problem->interactor->arguments, std::vector<std::string>{"-x"});
  EXPECT_EQ(problem->interactor->limits.cpu_time, std::chrono::seconds(7));
  EXPECT_EQ(problem->interactor->source.sources.at(0).content, "int main() {}");
  EXPECT_FALSE(problem->has_own_checker);
  EXPECT_EQ(problem->tests.at(1).answer.file, nullptr);
}

TEST_F(NativeProblem, InteractorsThatMakeNoSenseAreRefused) {
  write_test("1");
  write("talk.cpp", "int main() {}");
  const std::string type = "type = \"interactive\"\n";
  const std::string interactor = "[interactor]\nsource = \"talk.cpp\"\n";
  EXPECT_EQ(complaint(type), "problem.toml: an interactive problem needs an interactor");
  EXPECT_EQ(complaint(interactor), "problem.toml: an interactor is for interactive problems alone");
  EXPECT_EQ(complaint(type + "[interactor]\nlanguage = \"cpp\"\n"),
            "problem.toml:2:1: an interactor needs a 'source'");
  EXPECT_EQ(complaint(type + interactor + "protocol = \"cms\"\n"),
            "problem.toml: an interactor talks as testlib, icpc or noj, and not as cms");
  EXPECT_EQ(complaint(type + interactor + "protocol = \"icpc\"\n[checker]\nname = \"tokens\"\n"),
            "problem.toml: only a testlib interactor writes an output that a checker can judge");
  EXPECT_EQ(complaint(type +
                      "ioMode = \"fileio\"\ninputFileName = \"i\"\n"
                      "outputFileName = \"o\"\n" +
                      interactor),
            "problem.toml: an interactive problem talks on stdin and stdout: it has no ioMode "
            "fileio");
}

TEST_F(NativeProblem, ManagersAndProcessesAreRead) {
  write("talk.cpp", "int main() {}");
  write("tests/1.in", "its answer is nobody's business");
  const std::string manager = "[manager]\nsource = \"talk.cpp\"\n";
  const auto problem =
      load("type = \"communication\"\nprocesses = 32\nio = \"fifo_io\"\n" + manager +
           "protocol = \"testlib\"\nargs = [\"-x\"]\nlimits = { cpuTimeMs = 7000 }\n");
  ASSERT_TRUE(problem) << describe(problem.error());
  EXPECT_EQ(problem->kind, ProblemKind::Communication);
  EXPECT_EQ(problem->processes, 32U);
  EXPECT_EQ(problem->process_io, ProcessIo::Fifo);
  EXPECT_EQ(protocol_of(*problem->manager, problem->kind), Protocol::Testlib);
  EXPECT_EQ(problem->manager->arguments, std::vector<std::string>{"-x"});
  EXPECT_EQ(problem->manager->limits.cpu_time, std::chrono::seconds(7));
  EXPECT_EQ(problem->manager->source.sources.at(0).content, "int main() {}");
  const auto usual = load("type = \"communication\"\n" + manager);
  ASSERT_TRUE(usual) << describe(usual.error());
  EXPECT_EQ(usual->processes, 1U);
  EXPECT_EQ(usual->process_io, ProcessIo::Stdio);
  EXPECT_EQ(protocol_of(*usual->manager, usual->kind), Protocol::Cms);
  write_test("1");
  const auto steps = load("type = \"twostep\"\nio = \"fifo\"\n" + manager);
  ASSERT_TRUE(steps) << describe(steps.error());
  EXPECT_EQ(steps->kind, ProblemKind::TwoStep);
  EXPECT_EQ(protocol_of(*steps->manager, steps->kind), Protocol::Testlib);
  EXPECT_TRUE(load("type = \"twostep\""));
}

TEST_F(NativeProblem, ManagersAndProcessesThatMakeNoSenseAreRefused) {
  write_test("1");
  write("talk.cpp", "int main() {}");
  const std::string manager = "[manager]\nsource = \"talk.cpp\"\n";
  const std::string talks = "type = \"communication\"\n";
  const std::string files = "ioMode = \"fileio\"\ninputFileName = \"i\"\noutputFileName = \"o\"\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {talks, "problem.toml: a communication problem needs a manager"},
      {manager, "problem.toml: a manager is for communication and twostep problems alone"},
      {talks + "[manager]\nlanguage = \"cpp\"\n", "problem.toml:2:1: a manager needs a 'source'"},
      {talks + manager + "protocol = \"icpc\"\n",
       "problem.toml: a manager talks as cms or testlib, and not as icpc"},
      {talks + manager + "protocol = \"telepathy\"\n",
       "problem.toml:2:1: there is no protocol 'telepathy'"},
      {talks + "processes = 0\n" + manager, "problem.toml: processes must be from 1 to 32"},
      {talks + "processes = 33\n" + manager, "problem.toml: processes must be from 1 to 32"},
      {talks + "processes = -1\n" + manager, "problem.toml:2:13: must be a number"},
      {talks + "processes = 9999999999\n" + manager, "problem.toml:2:13: must be a number"},
      {"processes = 2\n", "problem.toml: processes are for communication problems alone"},
      {"io = \"fifo\"\n",
       "problem.toml: io is for interactive, communication and twostep problems alone"},
      {talks + "io = \"shouting\"\n" + manager,
       "problem.toml:2:6: must be stdio, fifo or terminal"},
      {"type = \"interactive\"\nio = \"fifo\"\n[interactor]\nsource = \"talk.cpp\"\n",
       "problem.toml: an interactive problem talks on stdin and stdout: its io is stdio or "
       "terminal"},
      {"type = \"twostep\"\nio = \"terminal\"\n" + manager,
       "problem.toml: a twostep problem has the io stdio or fifo: nobody talks"},
      {talks + files + manager,
       "problem.toml: a communication problem talks with its manager: it has no ioMode fileio"},
      {talks + manager + "[checker]\nname = \"tokens\"\n",
       "problem.toml: the manager of a communication problem judges: there is no checker"},
      {talks + manager + "[interactor]\nsource = \"talk.cpp\"\n",
       "problem.toml: an interactor is for interactive problems alone"},
      {"type = \"twostep\"\nprocesses = 2\n",
       "problem.toml: processes are for communication problems alone"},
      {"type = \"twostep\"\nio = \"fifo\"\n" + files,
       "problem.toml: a twostep problem with the io fifo has no ioMode fileio"},
      {"type = \"twostep\"\n" + manager + "protocol = \"cms\"\n",
       "problem.toml: the manager of a twostep problem says with its exit code, as testlib, "
       "whether "
       "to go on: it does not talk as cms"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(complaint(text), expected) << text;
}

TEST_F(NativeProblem, ProjectsAndGradersThatMakeNoSenseAreRefused) {
  write_test("1");
  write("g.cpp", "");
  const std::string grader = "[grader.cpp]\nfiles = [\"g.cpp\"]\n";
  EXPECT_EQ(complaint("type = \"solitaire\""),
            "problem.toml:1:8: 'solitaire' is none of batch, outputOnly, interactive, multipass, "
            "communication, twostep");
  for (const char* wrong : {"4", "\"cmake\"", "true"})
    EXPECT_EQ(complaint("buildStrategy = " + std::string(wrong)),
              "problem.toml:1:17: must be compile (0), makeNormal (1), makeFunctionOnly (2) or "
              "makeInteractive (3)");
  EXPECT_EQ(complaint("buildStrategy = 2"),
            "problem.toml: makeFunctionOnly needs buildFiles or a buildArchive");
  EXPECT_EQ(complaint("buildFiles = [\"g.cpp\"]"),
            "problem.toml: buildFiles and buildArchive are for makeFunctionOnly alone");
  EXPECT_EQ(complaint("buildStrategy = 2\nbuildFiles = [\"g.cpp\"]\nbuildArchive = \"g.cpp\""),
            "problem.toml: buildFiles and buildArchive are two ways to say the same");
  EXPECT_EQ(complaint("type = \"outputOnly\"\nbuildStrategy = 1"),
            "problem.toml: an outputOnly problem builds nothing and has no ioMode");
  EXPECT_EQ(complaint(grader),
            "problem.toml: the grader for 'cpp' does not say what the submission is called");
  EXPECT_EQ(complaint(grader + "submission = \"../g.cpp\""),
            "problem.toml: the grader for 'cpp' does not say what the submission is called");
  EXPECT_EQ(complaint(grader + "submission = \"g.cpp\""),
            "problem.toml: the grader for 'cpp' has a file of its own called 'g.cpp'");
  EXPECT_EQ(complaint("[grader.cpp]\nsubmission = \"f.cpp\""),
            "problem.toml: the grader for 'cpp' has no files");
  EXPECT_EQ(
      complaint("buildStrategy = 1\n" + grader + "submission = \"f.cpp\""),
      "problem.toml: a grader is compiled by its language: it needs the buildStrategy compile");
  EXPECT_EQ(complaint(grader + "submission = \"f.cpp\"\n[grader.\"c++\"]\nfiles = [\"g.cpp\"]\n"
                               "submission = \"f.cpp\""),
            "problem.toml: there are two graders for 'cpp'");
  EXPECT_NE(complaint("[grader.klingon]").find("problem.toml:1:"), std::string::npos);
  EXPECT_NE(complaint("[grader.cpp]\nfiles = [\"../../etc/passwd\"]").find("etc/passwd"),
            std::string::npos);
}

// What stands beside a pattern is written into each of the tests that it finds.
TEST_F(NativeProblem, NothingLongIsWrittenIntoManyTests) {
  write_test("1");
  const std::string id(129, 'x');
  const std::string entry = "[[tests]]\npattern = \"tests/*.in\"\n";
  EXPECT_EQ(complaint(entry + "subtaskId = \"" + id + "\""),
            "problem.toml:3:13: must be at most 128 bytes");
  EXPECT_EQ(complaint("[[tests]]\ninput = \"tests/1.in\"\ntestId = \"" + id + "\""),
            "problem.toml:3:10: must be at most 128 bytes");
  EXPECT_EQ(complaint("[[subtasks]]\nid = \"" + id + "\""),
            "problem.toml:2:6: must be at most 128 bytes");
  std::string folder;
  while (folder.size() < 5000)
    folder += "./";
  EXPECT_TRUE(complaint("tests = \"" + folder + "tests/*.in\"")
                  .starts_with("problem.toml:1:9: a path of more than 1024 bytes: '"));
}

TEST(ComesBefore, ReadsRunsOfDigitsAsNumbers) {
  EXPECT_TRUE(comes_before("a2", "a10"));
  EXPECT_FALSE(comes_before("a10", "a2"));
  EXPECT_TRUE(comes_before("a02", "a10"));
  EXPECT_TRUE(comes_before("a", "b1"));
  EXPECT_TRUE(comes_before("a", "a1"));
  EXPECT_FALSE(comes_before("a1", "a1"));
}

TEST(HeadAndTail, KeepsBothEndsAndSaysHowMuchIsMissing) {
  const Content text{.text = "0123456789"};
  const Content file{.file = std::make_shared<const os::OwnedFd>(sealed(text).value())};
  const Content part{
      .file = std::make_shared<const os::OwnedFd>(sealed({.text = "abc0123456789d"}).value()),
      .part = FilePart{.offset = 3, .size = 10}};
  EXPECT_EQ(whole({.file = std::make_shared<const os::OwnedFd>(sealed(part).value())}, 1_KiB),
            "0123456789");
  EXPECT_EQ(whole(part, 10_B), "0123456789");
  EXPECT_FALSE(whole(part, 9_B));
  for (const Content& content : {text, file, part}) {
    EXPECT_EQ(size_of(content).value(), 10_B);
    EXPECT_EQ(head_and_tail(content, 10_B).value(), "0123456789");
    EXPECT_EQ(head_and_tail(content, 4_B).value(), "01\n... 6 of 10 bytes left out ...\n89");
  }
}

TEST(SealedContent, OfAFileStartsAtItsBeginningAndCannotBeWritten) {
  os::OwnedFd made = sealed({.text = "abc"}).value();
  ::lseek(made.get(), 2, SEEK_SET);
  const Content content{.file = std::make_shared<const os::OwnedFd>(std::move(made))};
  for (int i = 0; i < 2; ++i) {
    const os::OwnedFd copy = sealed(content).value();
    char text[4] = {};
    EXPECT_EQ(::read(copy.get(), text, 3), 3);
    EXPECT_STREQ(text, "abc");
    EXPECT_LT(::write(copy.get(), "x", 1), 0);
  }
}

}  // namespace
}  // namespace assay::judge
