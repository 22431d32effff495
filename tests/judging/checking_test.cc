#include "judge/checking.h"

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using judge::JudgeStatus;
using judge::Protocol;

judge::Problem checked_by(Protocol protocol, const std::string& language,
                          const std::string& source) {
  judge::Problem problem = problem_of({{"7", "answer"}});
  problem.checker = judge::CheckerProgram{
      .source = {.language = language, .sources = {{"", source}}}, .protocol = protocol};
  return problem;
}

const judge::Submission kPrintsTwo = in_python("print(2)");

TEST_F(JudgingTest, ACheckerSeesInputOutputAndAnswer) {
  const JudgeResult result = judge(checked_by(Protocol::Testlib, "python3", R"(
import sys
seen = [open(name).read().strip() for name in sys.argv[1:4]]
print(seen, file=sys.stderr)
sys.exit(0 if seen == ["7", "2", "answer"] else 1))"),
                                   kPrintsTwo);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_NE(result.tests[0].checker_log.find("answer"), std::string::npos);
}

TEST_F(JudgingTest, ACheckersNoIsAWrongAnswerWithItsMessage) {
  const JudgeResult result = judge(checked_by(Protocol::Testlib, "python3", R"(
import sys
print("expected \x1b[31mthree", file=sys.stderr)
sys.exit(1))"),
                                   kPrintsTwo);
  EXPECT_EQ(letters(result), "WA");
  EXPECT_NE(result.tests[0].message.find("three"), std::string::npos);
  EXPECT_EQ(result.tests[0].message.find('\x1b'), std::string::npos);
}

TEST_F(JudgingTest, ACheckerThatCrashesIsTheJudgesFailure) {
  const JudgeResult result =
      judge(checked_by(Protocol::Testlib, "c", "int main(void) { __builtin_trap(); }"), kPrintsTwo);
  EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
  EXPECT_EQ(result.status, JudgeStatus::Finished);
}

TEST_F(JudgingTest, AnErrorThatACheckersRuntimeReportsIsTheJudgesFailure) {
  for (const Protocol protocol : {Protocol::Testlib, Protocol::ExitCode})
    for (const char* source : {"import nothere", "x = = 3", "open('nothere')"}) {
      const JudgeResult result = judge(checked_by(protocol, "python3", source), kPrintsTwo);
      EXPECT_EQ(letters(result), "JE") << source << ": " << result.tests[0].message;
      EXPECT_TRUE(result.tests[0].message.contains("nobody caught")) << result.tests[0].message;
    }
}

// Each of these made a wrong answer the judge's failure.
TEST_F(JudgingTest, AnOutputThatACheckerRepeatsInItsOwnWayIsNotItsCrash) {
  const judge::Problem problem = checked_by(Protocol::Testlib, "python3", R"(
import sys
for line in open(sys.argv[2], newline=""):
    line = line.rstrip()
    if line != "1":
        sys.stderr.write(line[:60] + "\n")
        sys.exit(1))");
  for (const char* prints : {R"(s + "\r\n")", R"(s + "   ")", R"(s + "x" * 60)", R"("  " + s)",
                             R"("1\n" * 600000 + s)"}) {
    const JudgeResult result = judge(
        problem, in_python(std::string("import sys; s = 'Traceback (most recent call last):'\n") +
                           "sys.stdout.write(" + prints + ")"));
    EXPECT_EQ(letters(result), "WA") << prints << ": " << result.tests[0].message;
  }
}

TEST_F(JudgingTest, ASilentCodeOfACheckerIsNoScore) {
  for (const char* code : {"43", "116"}) {
    const JudgeResult result =
        judge(checked_by(Protocol::Testlib, "bash", std::string("exit ") + code), kPrintsTwo);
    EXPECT_EQ(letters(result), "JE") << code << ": " << result.tests[0].message;
    EXPECT_EQ(result.score, 0);
  }
}

TEST_F(JudgingTest, ACheckerThatTakesTooLongIsTheJudgesFailure) {
  judge::Problem problem = checked_by(Protocol::Testlib, "c", "int main(void) { for (;;) ; }");
  std::get<judge::CheckerProgram>(problem.checker).limits.cpu_time = 100ms;
  const JudgeResult result = judge(problem, kPrintsTwo);
  EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
}

TEST_F(JudgingTest, ACheckerIsNotAskedAboutARunThatFailed) {
  const JudgeResult result = judge(checked_by(Protocol::Testlib, "python3", "raise SystemExit(0)"),
                                   in_python("raise SystemExit(3)"));
  EXPECT_EQ(letters(result), "RE");
  EXPECT_EQ(result.tests[0].exit_code, 3);
}

TEST_F(JudgingTest, AnIcpcValidatorReadsStdinAndLeavesItsMessageInTheFeedback) {
  const JudgeResult result = judge(checked_by(Protocol::Icpc, "python3", R"(
import sys
open(sys.argv[3] + "judgemessage.txt", "w").write("seen " + sys.stdin.read().strip())
sys.exit(42))"),
                                   kPrintsTwo);
  EXPECT_EQ(letters(result), "AC");
  EXPECT_EQ(result.tests[0].message, "seen 2");
}

TEST_F(JudgingTest, AnIcpcValidatorHasAMessageForTheTeamToo) {
  const std::string validator =
      "import sys\nfor name in 'judge', 'team':\n"
      "  open(sys.argv[3] + name + 'message.txt', 'w').write('to the ' + name)\nsys.exit(43)\n";
  const auto result = judge(checked_by(Protocol::Icpc, "python3", validator), kPrintsTwo);
  EXPECT_EQ(result.tests[0].message, "to the judge");
  EXPECT_EQ(result.tests[0].team_message, "to the team");
}

TEST_F(JudgingTest, AScoreOfACmsComparatorIsAPartOfTheTest) {
  const JudgeResult result =
      judge(checked_by(Protocol::Cms, "python3",
                       "import sys\nprint(0.5)\nprint('half', file=sys.stderr)"),
            kPrintsTwo);
  EXPECT_EQ(letters(result), "PC") << result.tests[0].message;
  EXPECT_EQ(result.score, 50);
}

TEST_F(JudgingTest, AllThePointsOfATestAreAnAcceptedOne) {
  for (const auto& [points, expected] : {std::pair{"99", "PC"}, {"100", "AC"}, {"250", "AC"}}) {
    judge::Problem problem = checked_by(
        Protocol::Testlib, "bash", std::string("echo points ") + points + " of them >&2\nexit 7");
    problem.subtasks = {{.id = "a", .score = 100}};
    problem.tests[0].subtask = "a";
    const JudgeResult result = judge(problem, kPrintsTwo);
    EXPECT_EQ(letters(result), expected) << result.tests[0].message;
    EXPECT_EQ(result.score, std::string(expected) == "AC" ? 100 : 0);
  }
}

TEST_F(JudgingTest, ACheckerThatDoesNotCompileIsRefusedInOneSentence) {
  const auto result =
      try_judge(checked_by(Protocol::Testlib, "c", "int main(void) { return x; }"), kPrintsTwo);
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().context.starts_with("the checker does not compile: "))
      << result.error().context;
}

}  // namespace
}  // namespace assay::test
