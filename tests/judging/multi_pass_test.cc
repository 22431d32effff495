// Multi-pass problems: what validators may ask for, and what follows.
#include <fmt/format.h>

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

// package-formats, 3: nextpass.in is removed before the next pass, all other files persist.
TEST_F(JudgingTest, WhatAValidatorLeavesIsThereInTheNextPass) {
  const JudgeResult result = judge(counting(R"(
import os, sys
home = sys.argv[3]
said = sys.stdin.read().strip()
assert not os.path.exists(home + "nextpass.in")
with open(home + "seen.txt", "a") as file:
    file.write(said + " ")
os.makedirs(home + "deep/er", exist_ok=True)
open(home + "deep/er/" + said, "wb").write(b"\0\xff" * 1000)
if said != "3":
    open(home + "judgemessage.txt", "w").write("left by pass " + said)
    open(home + "nextpass.in", "w").write(str(int(said) + 1))
elif open(home + "seen.txt").read() != "1 2 3 " or len(os.listdir(home + "deep/er")) != 3:
    sys.exit(43)
sys.exit(42))",
                                            3),
                                   kEchoes);
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_TRUE(result.tests[0].message.ends_with("left by pass 2")) << result.tests[0].message;
}

TEST_F(JudgingTest, AValidatorThatLeavesTooMuchForTheNextPassIsTheJudgesFailure) {
  const std::string asks = "open(sys.argv[3] + 'nextpass.in', 'w').write('2')\nsys.exit(42)";
  for (const char* leaves :
       {"for i in range(300): open(sys.argv[3] + str(i), 'w')\n",
        "for i in range(3): open(sys.argv[3] + str(i), 'wb').truncate(30 << 20)\n"}) {
    const JudgeResult result = judge(counting("import sys\n" + (leaves + asks), 2), kEchoes);
    EXPECT_EQ(letters(result), "JE") << result.tests[0].message;
    EXPECT_TRUE(result.tests[0].message.contains("cannot be kept")) << result.tests[0].message;
  }
}

// Whoever says that it would pass must have seen all of it.
TEST_F(JudgingTest, WithASoftLimitThePassesAfterASlowOneRunToo) {
  NEEDS_METERS();
  judge::Problem problem = counting(kUntilThree, 3);
  problem.limits.cpu_time = scaled(500ms);
  const auto slow_first = [&](const std::string& second) {
    return judge(
        problem,
        in_python("import time\nn = input()\nwhile n == '1' and "
                  "time.process_time() < " +
                  fmt::format("{}", scaled(650ms) / 1.0s) + ": pass\nprint(" + second + ")"),
        {.soft = {2000}});
  };
  const JudgeResult right = slow_first("n");
  EXPECT_EQ(letters(right), "TLE");
  EXPECT_EQ(right.tests[0].letters_without_limit, "AC") << right.tests[0].message;
  EXPECT_EQ(right.tests[0].output, "3\n");
  EXPECT_EQ(right.score, 0);
  const JudgeResult wrong = slow_first("7 if n == '2' else n");
  EXPECT_EQ(letters(wrong), "TLE");
  EXPECT_EQ(wrong.tests[0].letters_without_limit, "WA") << wrong.tests[0].message;
}

TEST_F(JudgingTest, ABatchProblemHasNoSecondPass) {
  judge::Problem problem = counting(kUntilThree, 2);
  problem.kind = judge::ProblemKind::Batch;
  EXPECT_EQ(letters(judge(problem, kEchoes)), "JE");
}

}  // namespace
}  // namespace assay::test
