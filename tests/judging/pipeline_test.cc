#include "judge/pipeline.h"

#include <atomic>
#include <thread>

#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using judge::JudgeStatus;
using verdict::Verdict;

const char* const kEcho = R"(
#include <stdio.h>
int main(void) { int c; while ((c = getchar()) != EOF) putchar(c); })";

TEST_F(JudgingTest, TellsEverythingAboutAnAcceptedSubmission) {
  const JudgeResult result = judge(problem_of({{"1 2", "1 2"}, {"3", "3"}}), in_c(kEcho));
  EXPECT_EQ(letters(result), "AC AC");
  EXPECT_EQ(result.letters, "AC");
  EXPECT_EQ(result.status, JudgeStatus::Finished);
  EXPECT_EQ(result.submission_id, "s");
  EXPECT_EQ(result.language, "c");
  EXPECT_EQ(result.score, 100);
  ASSERT_TRUE(result.compile);
  EXPECT_TRUE(result.compile->ok);
  EXPECT_EQ(result.compile->exit_code, 0);
  EXPECT_GT(result.compile->time, Nanoseconds(0));
  EXPECT_EQ(result.tests[0].output, "1 2");
  EXPECT_EQ(result.tests[0].output_size, 3_B);
  EXPECT_EQ(result.tests[0].exit_code, 0);
  EXPECT_TRUE(result.tests[0].facts);
  EXPECT_EQ(result.summary.total_time, result.tests[0].time + result.tests[1].time);
  EXPECT_LE(result.received_at, result.finished_at);
}

TEST_F(JudgingTest, ALanguageThatIsRunAsItIsHasNoCompileResult) {
  const JudgeResult result = judge(problem_of({{"5", "5"}}), in_python("print(input())"));
  EXPECT_EQ(result.letters, "AC");
  EXPECT_FALSE(result.compile);
}

TEST_F(JudgingTest, ABrokenSourceIsACompileErrorWithTheLogAndNoTestRuns) {
  const JudgeResult result =
      judge(problem_of({{"", ""}, {"", ""}}), in_c("int main(void) { return nonsense; }"));
  EXPECT_EQ(result.letters, "CE");
  EXPECT_EQ(result.status, JudgeStatus::Finished);
  EXPECT_EQ(letters(result), "SKIPPED SKIPPED");
  ASSERT_TRUE(result.compile);
  EXPECT_EQ(result.compile->exit_code, 1);
  EXPECT_NE(result.compile->log.find("nonsense"), std::string::npos) << result.compile->log;
  EXPECT_EQ(result.score, 0);
}

TEST_F(JudgingTest, ACompilerThatNeverEndsIsACompileErrorWithTheReason) {
  const JudgeResult result = judge(problem_of({{"", ""}}), in_c("#include \"/dev/zero\"\n"));
  EXPECT_EQ(result.letters, "CE");
  ASSERT_TRUE(result.compile);
  EXPECT_FALSE(result.compile->error.empty());
}

TEST_F(JudgingTest, ALongCompilerLogKeepsItsEndsAndSaysHowLongItWas) {
  std::string source = "int main(void) {\n";
  for (int i = 0; i < 2000; ++i)
    source += "  undeclared_" + std::to_string(i) + "();\n";
  const JudgeResult result = judge(problem_of({{"", ""}}), in_c(source + "return last_one; }\n"));
  ASSERT_TRUE(result.compile);
  EXPECT_EQ(result.letters, "CE");
  EXPECT_NE(result.compile->log.find("undeclared_0"), std::string::npos);
  EXPECT_NE(result.compile->log.find("bytes left out"), std::string::npos);
  EXPECT_NE(result.compile->log.find("last_one"), std::string::npos);
  EXPECT_LT(result.compile->log.size(), judge::kLogLimit.count + 200);
}

const char* const kWrongOnTwo = R"(
import sys, time
n = int(input())
if n == 1:
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
print(0 if n % 2 == 0 else n))";

TEST_F(JudgingTest, StopsAtTheFirstFailureTheSameWayWithAnyNumberOfWorkers) {
  const judge::Problem problem =
      problem_of({{"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}, {"5", "5"}});
  for (const unsigned workers : {1U, 2U, 4U}) {
    const JudgeResult result = judge(problem, in_python(kWrongOnTwo),
                                     {.stop = judge::StopRule::First, .workers = workers});
    EXPECT_EQ(letters(result), "AC WA SKIPPED SKIPPED SKIPPED") << workers;
    EXPECT_EQ(result.summary.failed_test, "2");
    EXPECT_EQ(result.letters, "WA");
  }
}

TEST_F(JudgingTest, RunsAllTestsWhenNothingStopsIt) {
  const judge::Problem problem = problem_of({{"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}});
  const JudgeResult result = judge(problem, in_python(kWrongOnTwo), {.workers = 3});
  EXPECT_EQ(letters(result), "AC WA AC WA");
  EXPECT_EQ(result.score, 50);
}

TEST_F(JudgingTest, TheRequestsLimitsComeBeforeTheProblems) {
  const judge::Submission slow =
      in_python("import time\nwhile time.process_time() < 0.5: pass\nprint(1)");
  const judge::Problem problem = problem_of({{"", "1"}});
  EXPECT_EQ(judge(problem, slow, {.limits = {.cpu_time = scaled(5s)}}).letters, "AC");
  EXPECT_EQ(judge(problem, slow, {.limits = {.cpu_time = 200ms}}).letters, "TLE");
}

TEST_F(JudgingTest, ATestsLimitsComeBeforeTheProblems) {
  judge::Problem problem = problem_of({{"", "1"}, {"", "1"}});
  problem.tests[1].limits.cpu_time = 100ms;
  const JudgeResult result =
      judge(problem, in_python("import time\nwhile time.process_time() < 0.4: pass\nprint(1)"));
  EXPECT_EQ(letters(result), "AC TLE");
}

TEST_F(JudgingTest, PoliciesGiveTheirOwnWords) {
  policy = "gojudge";
  const JudgeResult result = judge(problem_of({{"", "1"}}), in_python("print(2)"));
  EXPECT_EQ(result.verdict, Verdict::WrongAnswer);
  EXPECT_NE(result.letters, "");
}

TEST_F(JudgingTest, EventsTellWhatHappens) {
  std::atomic<int> compiled = 0;
  std::atomic<int> tested = 0;
  std::atomic<int> finished = 0;
  judge(problem_of({{"1", "1"}, {"2", "2"}, {"3", "3"}}), in_c(kEcho), {.workers = 2},
        {.compiled = [&](const judge::CompileResult&) { ++compiled; },
         .tested = [&](std::size_t, const judge::TestResult&) { ++tested; },
         .finished =
             [&](const JudgeResult&) {
               ++finished;
             }});
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(tested, 3);
  EXPECT_EQ(finished, 1);
}

TEST_F(JudgingTest, ACancelledSubmissionEndsAtOnceAndSaysNothingAboutTheRest) {
  judge::Problem problem = problem_of({{"1", "1"}, {"2", "2"}, {"3", "3"}});
  problem.limits = {.cpu_time = 1h, .wall_time = 1h};
  const judge::Submission hangs = in_python("n = int(input())\nwhile n == 2: pass\nprint(n)");
  // Cancelled from inside, when the first test is done.
  const JudgeResult result =
      judge(problem, hangs, {}, {.tested = [&](std::size_t, const judge::TestResult&) {
              cancellation().cancel();
            }});
  EXPECT_EQ(result.status, JudgeStatus::Failed);
  EXPECT_EQ(result.verdict, Verdict::Skipped);
  EXPECT_EQ(result.message, "cancelled");
  EXPECT_EQ(letters(result), "AC SKIPPED SKIPPED");
}

TEST_F(JudgingTest, ACancelledRunDiesWhileItRuns) {
  judge::Problem problem = problem_of({{"", ""}, {"", ""}});
  problem.limits = {.cpu_time = 1h, .wall_time = 1h};
  std::jthread canceller;
  const JudgeResult result = judge(problem, in_c("int main(void) { for (;;) ; }"), {.workers = 2},
                                   {.compiled = [&](const judge::CompileResult&) {
                                     canceller = std::jthread([&] { cancellation().cancel(); });
                                   }});
  EXPECT_EQ(letters(result), "SKIPPED SKIPPED");
  EXPECT_EQ(result.message, "cancelled");
}

TEST_F(JudgingTest, WhatWasCancelledBeforeItBeganRunsNothing) {
  cancellation().cancel();
  const JudgeResult result = judge(problem_of({{"", ""}}), in_c(kEcho));
  EXPECT_EQ(result.status, JudgeStatus::Failed);
  EXPECT_EQ(letters(result), "SKIPPED");
}

TEST_F(JudgingTest, RequestsThatMakeNoSenseAreRefusedInOneSentence) {
  const auto complaint = [this](const judge::Problem& problem, judge::Submission submission) {
    const auto result = try_judge(problem, submission);
    return result ? "it was judged" : result.error().context;
  };
  const judge::Problem good = problem_of({{"", ""}});
  EXPECT_EQ(complaint({}, in_c(kEcho)), "the problem has no tests");
  judge::Submission unknown = in_c(kEcho);
  unknown.language = "klingon";
  EXPECT_NE(complaint(good, unknown).find("klingon"), std::string::npos);
  EXPECT_EQ(complaint(good, {.language = "c"}), "there is no source");
  judge::Submission flagged = in_c(kEcho);
  flagged.extra_flags = {"-fplugin=x.so"};
  EXPECT_NE(complaint(good, flagged).find("-fplugin=x.so"), std::string::npos);
  judge::Problem clash = good;
  clash.io_mode = judge::IoMode::FileIo;
  clash.input_file = "main";
  clash.output_file = "out";
  EXPECT_EQ(complaint(clash, in_c(kEcho)), "the problem's file 'main' is called like the program");
}

}  // namespace
}  // namespace assay::test
