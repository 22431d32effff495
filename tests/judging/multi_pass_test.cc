// Multi-pass problems: what validators may ask for, and what follows.
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;

// A validator that goes on until it has seen `last` in the output. Every pass counts one up.
judge::Problem counting(const std::string& validator, unsigned passes) {
  judge::Problem problem = problem_of({{"1", "answer"}});
  problem.kind = judge::ProblemKind::MultiPass;
  problem.passes = passes;
  problem.checker =
      judge::CheckerProgram{.source = {.language = "python3", .sources = {{"", validator}}},
                            .protocol = judge::Protocol::Icpc};
  return problem;
}

const std::string kUntilThree = R"(
import sys
said = sys.stdin.read().strip()
if said != open(sys.argv[1]).read().strip():
    sys.exit(43)
if said != "3":
    open(sys.argv[3] + "nextpass.in", "w").write(str(int(said) + 1))
sys.exit(42))";

const judge::Submission kEchoes = in_python("print(input())");

TEST_F(JudgingTest, EveryPassRunsOnWhatTheValidatorMadeOfTheLastOutput) {
  const JudgeResult result = judge(counting(kUntilThree, 3), kEchoes);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_EQ(result.tests[0].output, "3\n");
  EXPECT_EQ(result.score, 100);
}

TEST_F(JudgingTest, AValidatorThatAsksForTooManyPassesIsTheJudgesFailure) {
  const JudgeResult result = judge(counting(kUntilThree, 2), kEchoes);
  EXPECT_EQ(letters(result), "JE");
  EXPECT_NE(result.tests[0].message.find("asks for pass 3"), std::string::npos)
      << result.tests[0].message;
}

TEST_F(JudgingTest, AFailureInALaterPassIsTheVerdictAndSaysWhichPass) {
  const JudgeResult wrong =
      judge(counting(kUntilThree, 3), in_python("n = input()\nprint(7 if n == '2' else n)"));
  EXPECT_EQ(letters(wrong), "WA");
  const JudgeResult crash =
      judge(counting(kUntilThree, 3), in_python("n = input()\nassert n != '3'\nprint(n)"));
  EXPECT_EQ(letters(crash), "RE");
  EXPECT_EQ(crash.tests[0].message.rfind("pass 3: ", 0), 0U) << crash.tests[0].message;
}

TEST_F(JudgingTest, LimitsHoldForEachPassAndTheWorstIsTold) {
  judge::Problem problem = counting(kUntilThree, 3);
  problem.limits.cpu_time = scaled(1s);
  const JudgeResult result = judge(problem, in_python(R"(
import time
n = input()
while time.process_time() < (0.5 if n == "2" else 0.4): pass
print(n))"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;  // 1.3 s in all
  EXPECT_GE(result.tests[0].time, 450ms);
  EXPECT_LT(result.tests[0].time, scaled(1s));
}

TEST_F(JudgingTest, AValidatorThatRejectsAndStillAsksForAPassIsTheJudgesFailure) {
  const JudgeResult result = judge(counting(R"(
import sys
open(sys.argv[3] + "nextpass.in", "w").write("x")
sys.exit(43))",
                                            2),
                                   kEchoes);
  EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
}

TEST_F(JudgingTest, ANextPassThatIsALinkIsTheJudgesFailure) {
  const JudgeResult result = judge(counting(R"(
import os, sys
os.symlink("/etc/passwd", sys.argv[3] + "nextpass.in")
sys.exit(42))",
                                            2),
                                   kEchoes);
  EXPECT_NE(letters(result), "") << result.tests[0].message;
  EXPECT_EQ(result.tests[0].output, "1\n");  // no pass ran on it
}

TEST_F(JudgingTest, ABatchProblemHasNoSecondPass) {
  judge::Problem problem = counting(kUntilThree, 2);
  problem.kind = judge::ProblemKind::Batch;
  EXPECT_EQ(letters(judge(problem, kEchoes)), "JE");
}

}  // namespace
}  // namespace assay::test
