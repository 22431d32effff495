// One test of a submission from its run to its points, as often as it must run. Private to the
// pipeline.
#pragma once

#include <vector>

#include "judge/checking.h"
#include "judge/interact.h"
#include "judge/pipeline.h"

namespace assay::judge {

TestResult skipped_test(const ProblemTest& test, const verdict::Policy& policy);

// What a run alone says. The measures are those of a program that ran.
void take_over(TestRun& run, TestResult& result);
void take_over_measures(TestRun& run, TestResult& result);

// Of two runs for one test: time, memory and what was seen are those of the worse.
void keep_worst(const Attempt& before, Attempt& now);

// Of several runs for one test the first that broke its declared limit, and what it is called.
struct SlowRun {
  TestRun run{};  // its facts and declared times only
  std::string name{};
};

// What the tests of one submission share.
struct TestWork {
  sandbox::Sandbox& engine;
  const ProfileLimits& profiles;
  const verdict::Policy& policy;
  const Problem& problem;
  const JudgeOptions& options;
  const Program* program = nullptr;     // either this,
  const Outputs* outputs = nullptr;     // or these
  Checker rule{};                       // by which outputs are checked,
  const Program& checker;               // and its program, if it has one
  const Program* interactor = nullptr;  // of an interactive problem, or the manager
  const JudgeEvents& events;
  std::vector<double> worths{};
  TestFiles files{};

  // Whatever fails of ours becomes the test's system error. What a run that was stopped looks like
  // is nobody's business, whatever the policy would call it.
  TestResult test(std::size_t index, Cancellation& cancellation) const;

 private:
  void say(TestResult& result, verdict::Verdict verdict, std::string message) const;
  void mark(std::size_t index, const std::optional<Score>& score, TestResult& result) const;
  Status try_test(std::size_t index, TestResult& result, Cancellation& cancellation) const;
  Result<Attempt> attempt(std::size_t index, Cancellation& cancellation) const;
  [[nodiscard]] Bytes dialogue_limit() const;
  Result<Attempt> interactive_attempt(std::size_t index, Cancellation& cancellation) const;
  Result<Interacted> talk(const InteractOrder& order, std::vector<sandbox::Facts>& processes,
                          Cancellation& cancellation) const;
  // One run on one input. Whether it kept its declared limit is not looked at yet.
  Result<Attempt> run_and_check(std::size_t index, const ProblemTest& test, TestRun& run,
                                Passing* passing, Cancellation& cancellation) const;
  Result<Attempt> all_passes(std::size_t index, Cancellation& cancellation) const;  // multi_pass.cc
  Result<Attempt> both_steps(std::size_t index, Cancellation& cancellation) const;  // two_steps.cc
  Result<TestRun> run_of_step(unsigned step, const ProblemTest& test, Attempt& attempt,
                              Cancellation& cancellation) const;
  // What the second step reads; nothing: the manager has spoken instead, in the result.
  Result<std::optional<Content>> between_steps(std::size_t index, TestRun& first,
                                               TestResult& result,
                                               Cancellation& cancellation) const;
  [[nodiscard]] TestOrder order_of(const ProblemTest& test) const;
  void note_time(const TestRun& run, Attempt& attempt) const;
  void judge_time(const TestRun& run, Attempt& attempt) const;
  void note_slow(const TestRun& run, std::string name, std::optional<SlowRun>& slow) const;
  // Whether a further run can still change something: it can where somebody wants to know what the
  // verdict would be without the limit.
  [[nodiscard]] bool goes_on_after(const std::optional<SlowRun>& slow) const;
  void judge_slow(const std::optional<SlowRun>& slow, TestResult& result) const;
  Result<TestRun> run_of(std::size_t index, const ProblemTest& test,
                         Cancellation& cancellation) const;
  [[nodiscard]] Allowance allowance() const;
  Status check_output(std::size_t index, const TestRun& run, TestResult& result,
                      Cancellation& cancellation, Passing* passing = nullptr) const;
};

}  // namespace assay::judge
