// Submissions that speak the language of whoever judges them, and checkers that speak none.
#include "judge/compare_names.h"
#include "tests/end_to_end/command.h"
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using judge::Protocol;
using std::string;

// What its input begins with is its exit code, the rest is said on both streams.
const char* const kSaysItsInput = R"(
#include <stdio.h>
int main(void) {
  int code = 0, c;
  scanf("%d", &code);
  getchar();
  while ((c = getchar()) != EOF) putchar(c), fputc(c, stderr);
  return code;
})";

const std::vector<string> kFakes = {
    "STATUS: AC",
    "STATUS: AC\nMESSAGE: well done\n",
    "wrong\nSTATUS: AC\n",
    "ok",
    "ok 1 number\n",
    "<result outcome=\"accepted\">ok</result>",
    "<?xml version=\"1.0\"?><result outcome = \"accepted\"/>",
    "1.0",
    "1\n1.0\ntranslate:success\n",
    "points 100",
    "partially correct (100) fine",
    "42",
    "AC",
    "Accepted\n",
    "exitcode: 0\nstatus: OK\n",
    "Traceback (most recent call last):\n  File \"x\", line 1\nError",
    string("right\0", 6),
    string("STATUS: AC\0right", 16),
    "\x1b[2J\x1b[32mAccepted\x1b[0m\r\nok",
    "<script>document.title='AC'</script><img src=x onerror=alert(1)>&quot;",
    "--></pre><h1>Accepted</h1>",
    "ok \xff\xfe\xc0\xaf \xed\xa0\x80 \xf5 \xe2\x82",
    "\xe2\x80\xae:SUTATS CA",
    "timelimit exceeded",
    "wrong answer: Time limit exceeded (TLE), memory limit exceeded, SE, judge error\n",
    ""};

// Honest, but they repeat what they read: how each of them says no, and how yes.
struct Speech {
  Protocol protocol{};
  string no{}, yes{};
};
const Speech kSpeeches[] = {
    {Protocol::Testlib, "sys.stderr.write('wrong answer: ' + said)\nsys.exit(1)", "sys.exit(0)"},
    {Protocol::Icpc,
     "open(sys.argv[3] + 'judgemessage.txt', 'w', "
     "encoding='latin-1').write(said)\nprint(said)\nsys.exit(43)",
     "sys.exit(42)"},
    {Protocol::ExitCode, "print(said)\nprint(said, file=sys.stderr)\nsys.exit(1)", "sys.exit(0)"},
    {Protocol::Cms, "print(0.0)\nprint(said)\nprint(said, file=sys.stderr)", "print(1.0)"},
    {Protocol::Lines, "print(said)\nprint(said, file=sys.stderr)\nprint('STATUS: WA')",
     "print('STATUS: AC')"},
    {Protocol::Boca, "print(said)\nsys.exit(6)", "sys.exit(4)"},
};

string in_block(const string& lines) {
  string block = "  " + lines;
  for (std::size_t at = 0; (at = block.find('\n', at)) != string::npos; at += 3)
    block.insert(at + 1, "  ");
  return block + "\n";
}

string checker_that_says(const Speech& speech) {
  const string from =
      speech.protocol == Protocol::Icpc ? "sys.stdin.buffer" : "open('output.txt', 'rb')";
  return "import sys\nfor stream in sys.stdout, sys.stderr: "
         "stream.reconfigure(encoding='latin-1')\n"
         "said = " +
         from +
         ".read().decode('latin-1')\n"
         "if said == open('answer.txt').read():\n" +
         in_block(speech.yes) + "else:\n" + in_block(speech.no);
}

class FakedVerdictTest : public JudgingTest {
 protected:
  // Each fake with each exit code, and in the end what is right.
  static judge::Problem problem_of_fakes() {
    std::vector<std::pair<string, string>> tests;
    for (const string& fake : kFakes)
      tests.emplace_back("0 " + fake, "right");
    for (const char* code : {"42 ", "43 ", "4 ", "1 "})
      tests.emplace_back(string(code) + "STATUS: AC\nok", "right");
    tests.emplace_back("42 right", "right");
    tests.emplace_back("0 right", "right");
    return problem_of(tests);
  }
  static judge::Problem checked_by(Protocol protocol, const string& language,
                                   const string& source) {
    judge::Problem problem = problem_of({{"0 right", "right"}, {"0 STATUS: AC", "right"}});
    problem.checker = judge::CheckerProgram{
        .source = {.language = language, .sources = {{"", source}}}, .protocol = protocol};
    return problem;
  }
  void expect_none_is_believed(const judge::Problem& problem, const string& name) {
    const JudgeResult result = judge(problem, in_c(kSaysItsInput), {.workers = 2});
    ASSERT_EQ(result.tests.size(), kFakes.size() + 6) << name;
    string messages;
    for (std::size_t at = 0; at + 1 < result.tests.size(); ++at) {
      const judge::TestResult& test = result.tests[at];
      EXPECT_EQ(test.letters, at < kFakes.size() ? "WA" : "RE")
          << name << ", " << problem.tests[at].input.text << ": " << test.message;
      EXPECT_EQ(test.score, 0) << name;
      EXPECT_EQ(test.message.find_first_of(string("\x1b\n\r\0", 4)), string::npos) << name;
      EXPECT_FALSE(test.message.contains("\xe2\x80\xae")) << name << ": " << test.message;
      messages += test.message + "\n";
    }
    const Ran read = run_command({"/usr/bin/iconv", "-f", "UTF-8", "-t", "UTF-8"}, messages);
    EXPECT_TRUE(read.code == 0 && read.out == messages) << name << ": " << read.err << messages;
    EXPECT_EQ(result.tests.back().letters, "AC") << name << ": " << result.tests.back().message;
    EXPECT_EQ(result.letters, "WA") << name;
  }
};

TEST_F(FakedVerdictTest, NoProtocolHearsTheSubmission) {
  for (const Speech& speech : kSpeeches) {
    judge::Problem problem = problem_of_fakes();
    problem.checker = judge::CheckerProgram{.source = in_python(checker_that_says(speech)),
                                            .protocol = speech.protocol};
    expect_none_is_believed(problem, string(name_of(speech.protocol)));
  }
}

TEST_F(FakedVerdictTest, NoComparisonHearsTheSubmission) {
  for (const char* name : {"tokens", "lines", "exact"}) {
    judge::Problem problem = problem_of_fakes();
    const auto comparison = judge::comparison_named(name);
    ASSERT_TRUE(comparison) << name;
    problem.checker = *comparison;
    expect_none_is_believed(problem, name);
  }
}

TEST_F(FakedVerdictTest, ACheckerThatTalksNonsenseIsTheJudgesFailure) {
  const std::pair<Protocol, string> nonsense[] = {
      {Protocol::Testlib, "echo gibberish >&2; exit 99"},
      {Protocol::Testlib, "echo points many >&2; exit 7"},
      {Protocol::Icpc, "echo STATUS: AC; echo ok >&2; exit 0"},
      {Protocol::Icpc, "echo much > ${3}score.txt; exit 42"},
      {Protocol::Cms, "echo great"},
      {Protocol::Cms, "echo 1e999"},
      {Protocol::Cms, "echo nan"},
      {Protocol::Cms, "echo 1.0; exit 1"},
      {Protocol::Lines, "echo gibberish"},
      {Protocol::Lines, "echo STATUS: GREAT"},
      {Protocol::Lines, "echo STATUS: AC >&2"},
      {Protocol::Lines, "echo STATUS: AC; exit 1"},
      {Protocol::Boca, "echo STATUS: AC; exit 0"},
  };
  for (const auto& [protocol, script] : nonsense) {
    const JudgeResult result = judge(checked_by(protocol, "bash", script), in_c(kSaysItsInput));
    EXPECT_EQ(letters(result), "JE JE") << name_of(protocol) << ": " << script;
    EXPECT_EQ(result.score, 0) << script;
  }
}

// Whatever it said before, and in the protocol whose every code is a verdict.
TEST_F(FakedVerdictTest, ACheckerThatDiesWithYesOnItsLipsIsTheJudgesFailure) {
  const string dies = "echo STATUS: AC; echo 1.0; echo ok >&2; kill -SEGV $$";
  for (const Speech& speech : kSpeeches) {
    const JudgeResult result =
        judge(checked_by(speech.protocol, "bash", dies), in_c(kSaysItsInput));
    EXPECT_EQ(letters(result), "JE JE") << name_of(speech.protocol);
  }
}

}  // namespace
}  // namespace assay::test
