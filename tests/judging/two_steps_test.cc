// Two-step problems: what passes from one run to the other, and what does not.
#include <fmt/format.h>

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;

judge::Problem two_steps(const std::string& manager = "") {
  judge::Problem problem = problem_of({{"6", "7"}});
  problem.kind = judge::ProblemKind::TwoStep;
  if (!manager.empty()) problem.manager.emplace().source = in_python(manager);
  return problem;
}

class TwoStepsTest : public JudgingTest {};

TEST_F(TwoStepsTest, TheSecondStepReadsWhatTheFirstOneWrote) {
  NEEDS_METERS();
  const JudgeResult result = judge(
      two_steps(),
      in_python(
          "import sys\nn = int(input())\nprint(n * 10 if sys.argv[1] == '0' else n // 10 + 1)"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;
  EXPECT_EQ(result.tests[0].output, "7\n");
  EXPECT_EQ(result.tests[0].processes.size(), 2U);
  EXPECT_EQ(result.score, 100);
}

TEST_F(TwoStepsTest, WithASoftLimitTheSecondStepRunsAfterASlowFirstOne) {
  NEEDS_METERS();
  judge::Problem problem = two_steps();
  problem.limits.cpu_time = scaled(500ms);
  const auto slow_first = [&](const std::string& answer) {
    const std::string burn = fmt::format("{}", scaled(650ms) / 1.0s);
    return judge(problem,
                 in_python("import sys, time\nwhile sys.argv[1] == '0' and time.process_time() < " +
                           burn + ": pass\nprint(" + answer + ")"),
                 {.soft = {2000}});
  };
  const JudgeResult right = slow_first("7");
  EXPECT_EQ(letters(right), "TLE");
  EXPECT_EQ(right.tests[0].letters_without_limit, "AC") << right.tests[0].message;
  EXPECT_TRUE(right.tests[0].message.starts_with("first step: ")) << right.tests[0].message;
  const JudgeResult wrong = slow_first("8");
  EXPECT_EQ(letters(wrong), "TLE");
  EXPECT_EQ(wrong.tests[0].letters_without_limit, "WA") << wrong.tests[0].message;
}

TEST_F(TwoStepsTest, AFailureSaysInWhichStep) {
  NEEDS_METERS();
  const JudgeResult first = judge(two_steps(), in_python("import sys\nassert sys.argv[1] == '1'"));
  EXPECT_EQ(letters(first), "RE");
  EXPECT_TRUE(first.tests[0].message.starts_with("first step: ")) << first.tests[0].message;
  EXPECT_EQ(first.tests[0].processes.size(), 1U);
  const JudgeResult second =
      judge(two_steps(), in_python("import sys\nassert sys.argv[1] == '0'\nprint(7)"));
  EXPECT_EQ(letters(second), "RE");
  EXPECT_TRUE(second.tests[0].message.starts_with("second step: ")) << second.tests[0].message;
}

TEST_F(TwoStepsTest, TheManagerMayPassOnSomethingElse) {
  NEEDS_METERS();
  const std::string manager =
      "import sys\nassert open(sys.argv[1]).read() == '6' and open(sys.argv[2]).read() == '7'\n"
      "print(int(sys.stdin.read()) + 1)";
  EXPECT_EQ(letters(judge(two_steps(manager), in_python("print(input())"))), "AC");
}

TEST_F(TwoStepsTest, TheManagerMaySayNoAndThenThereIsNoSecondStep) {
  NEEDS_METERS();
  const JudgeResult result =
      judge(two_steps("import sys\nsys.stderr.write('wrong answer too long')\nsys.exit(1)"),
            in_python("print(7)"));
  EXPECT_EQ(letters(result), "WA");
  EXPECT_NE(result.tests[0].message.find("too long"), std::string::npos) << result.tests[0].message;
  EXPECT_EQ(result.tests[0].processes.size(), 1U);
}

TEST_F(TwoStepsTest, AManagerThatBreaksIsTheJudgesFailure) {
  NEEDS_METERS();
  for (const char* manager : {"raise SystemExit(3)", "import os\nos.abort()",
                              "raise SystemExit(77)", "while True: print('x' * 1000000)"}) {
    judge::Problem problem = two_steps(manager);
    problem.manager->limits.output = 4_MiB;
    const JudgeResult result = judge(problem, in_python("print(7)"));
    EXPECT_EQ(letters(result), "JE") << manager << ": " << result.tests[0].message;
    EXPECT_EQ(result.tests[0].message.find("checker"), std::string::npos)
        << result.tests[0].message;
  }
}

TEST_F(TwoStepsTest, ThePipeBetweenThemMayHaveAName) {
  NEEDS_METERS();
  judge::Problem problem = two_steps();
  problem.process_io = judge::ProcessIo::Fifo;
  const std::string through = R"(
import sys
step, pipe = sys.argv[1:]
if step == "0":
    print(int(input()) * 10, file=open(pipe, "w"))
else:
    assert sys.stdin.read() == ""
    print(int(open(pipe).read()) // 10 + 1))";
  const JudgeResult result = judge(problem, in_python(through));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message << result.tests[0].errors;
  const JudgeResult none = judge(problem, in_python("print(7)"));
  EXPECT_EQ(letters(none), "WA");
  EXPECT_TRUE(none.tests[0].message.starts_with("first step: no output file 'step.pipe'"))
      << none.tests[0].message;
}

TEST_F(TwoStepsTest, LimitsHoldForEachStepAndTheWorstIsTold) {
  NEEDS_METERS();
  judge::Problem problem = two_steps();
  problem.limits.cpu_time = scaled(1s);
  problem.limits.wall_time = scaled(60s);
  const double limit = std::chrono::duration<double>(scaled(1s)).count();
  const JudgeResult result =
      judge(problem, in_python("import sys, time\nn = input()\nwhile time.process_time() < " +
                               std::to_string(limit * 0.6) + ": pass\nprint(7)"));
  EXPECT_EQ(letters(result), "AC") << result.tests[0].message;  // more than the limit in all
  EXPECT_LT(result.tests[0].time, scaled(1s));
}

// Whatever the first step leaves behind, and wherever it looks in the second.
TEST_F(TwoStepsTest, TheSecondStepKnowsNothingElseOfTheTest) {
  NEEDS_METERS();
  judge::Problem problem = two_steps();
  problem.tests[0].input.text = "the secret";
  problem.tests[0].answer.text = "nothing";
  const JudgeResult result = judge(problem, in_python(R"(
import os, sys
PLACES = ["note", "/tmp/note", "/dev/shm/note", os.path.expanduser("~/note")]
if sys.argv[1] == "0":
    secret = input()
    for place in PLACES:
        try: open(place, "w").write(secret)
        except OSError: pass
    print("passed on")
else:
    found = []
    roots = ["/w", "/tmp", "/dev/shm", "/run", "/var", os.getcwd()]
    for root in roots:
        for directory, _, names in os.walk(root):
            for name in names:
                try:
                    path = os.path.join(directory, name)
                    if os.path.getsize(path) < 1 << 20 and b"the " + b"secret" in open(path, "rb").read(): found.append(path)
                except OSError: pass
    print(*found or ["nothing"]))"));
  EXPECT_EQ(letters(result), "AC")
      << result.tests[0].message << result.tests[0].output << result.tests[0].errors;
}

TEST_F(TwoStepsTest, AGraderIsCompiledWithTheSubmission) {
  NEEDS_METERS();
  judge::Problem problem = two_steps();
  problem.graders.push_back({.language = "c",
                             .files = {{"steps.c",
                                        "#include <stdio.h>\nint encode(int);\nint decode(int);\n"
                                        "int main(int argc, char** argv) {\n  int n = 0;\n"
                                        "  if (argc != 2 || scanf(\"%d\", &n) != 1) return 1;\n"
                                        "  printf(\"%d\\n\", argv[1][0] == '0' ? encode(n) "
                                        ": decode(n));\n  return 0;\n}\n"}},
                             .submission = "code.c"});
  EXPECT_EQ(letters(judge(problem, in_c("int encode(int n) { return -n; }\n"
                                        "int decode(int n) { return 1 - n; }"))),
            "AC");
}

}  // namespace
}  // namespace assay::test
