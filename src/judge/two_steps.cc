// A test of a two-step problem: the program runs as step 0 on the test, and as step 1 on what the
// first run wrote, or on what the problem's manager makes of that. Every run has all its limits and
// a box of its own, so that the second knows nothing else of the test.
#include <fmt/format.h>

#include <array>

#include "judge/interact_terms.h"
#include "judge/language_steps.h"
#include "judge/scoring.h"
#include "judge/test_work.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

// What the steps call the pipe between them, where it has a name as in CMS: a file that one leaves
// and the other finds, because they run one after the other.
constexpr const char* kPipe = "step.pipe";
constexpr std::array<const char*, 2> kNames{"first step", "second step"};

struct Passed {
  CheckResult word{};
  std::string log{};
  os::OwnedFd output{};
};

// The manager reads what the first step wrote on its stdin and writes what the second will read on
// its stdout; the test's input and answer are files.
Result<Passed> pass_on(sandbox::Sandbox& engine, const InteractOrder& order, const TestRun& first,
                       Cancellation& cancellation) {
  const Manager& manager = *order.test.problem.manager;
  std::vector<std::string> arguments{"input.txt", "answer.txt"};
  arguments.insert(arguments.end(), manager.arguments.begin(), manager.arguments.end());
  const Invocation step =
      run_step(*order.interactor.language, order.interactor.sources,
               limits_of_partner(order, manager.limits, {}), Task::Interactor, arguments);
  Passed passed;
  passed.output = TRY(nameless_file());
  const os::OwnedFd input = TRY(sealed(order.test.test.input));
  const os::OwnedFd answer = TRY(sealed(order.test.test.answer));
  const os::OwnedFd written = TRY(sealed(first.output));
  sandbox::Spec spec{
      .profile = step.profile,
      .argv = step.argv,
      .environment = step.environment,
      .input = sandbox::Descriptor{written.get()},
      .output = sandbox::Collect{.sink = passed.output.get()},
      .errors = sandbox::Collect{.text = &passed.log, .limit = kLogLimit, .discard_rest = true},
      .files_in = order.interactor.files_in(),
      .limits = step.limits};
  spec.files_in.push_back({.name = "input.txt", .source = input.get()});
  spec.files_in.push_back({.name = "answer.txt", .source = answer.get()});
  const sandbox::Facts facts = TRY(cancellation.run(engine, spec));
  passed.word =
      interpret_partner("the manager", Protocol::Testlib,
                        {.end = facts.end, .cut_off_by = facts.cut_off_by, .errors = passed.log},
                        *order.interactor.language, all_of(written.get()));
  return passed;
}

Content content_of(os::OwnedFd file) {
  return {.file = std::make_shared<os::OwnedFd>(std::move(file))};
}

}  // namespace

Result<TestRun> TestWork::run_of_step(unsigned step, const ProblemTest& test, Attempt& attempt,
                                      Cancellation& cancellation) const {
  std::vector<std::string> arguments{std::to_string(step)};
  TestOrder order = order_of(test);
  if (problem.process_io == ProcessIo::Fifo) {
    arguments.emplace_back(kPipe);
    (step == 0 ? order.output_file : order.input_file) = kPipe;
  }
  order.arguments = arguments;
  TestRun run = TRY(run_test(engine, order, cancellation));
  TestResult& result = attempt.result;
  take_over(run, result);
  take_over_measures(run, result);
  result.processes.push_back(run.facts);
  if (!result.message.empty())
    result.message = fmt::format("{}: {}", kNames.at(step), result.message);
  return run;
}

Result<std::optional<Content>> TestWork::between_steps(std::size_t index, TestRun& first,
                                                       TestResult& result,
                                                       Cancellation& cancellation) const {
  if (!problem.manager) return std::move(first.output);
  const TestOrder order = order_of(problem.tests[index]);
  Passed passed =
      TRY(pass_on(engine, {.test = order, .interactor = *interactor}, first, cancellation));
  if (passed.word.verdict == Verdict::Accepted) return content_of(std::move(passed.output));
  say(result, passed.word.verdict, std::move(passed.word.message));
  result.checker_log = std::move(passed.log);
  mark(index, passed.word.score, result);
  return std::nullopt;
}

Result<Attempt> TestWork::both_steps(std::size_t index, Cancellation& cancellation) const {
  ProblemTest test = problem.tests[index];
  Attempt first{.result = skipped_test(test, policy)};
  TestRun run = TRY(run_of_step(0, test, first, cancellation));
  std::optional<Content> passed;
  if (run.judgement.verdict == Verdict::Accepted)
    passed = TRY(between_steps(index, run, first.result, cancellation));
  note_time(run, first);
  std::optional<SlowRun> slow;
  note_slow(run, kNames[0], slow);
  if (!passed || first.result.verdict != Verdict::Accepted || !goes_on_after(slow)) {
    judge_slow(slow, first.result);
    return first;
  }
  test.input = *std::move(passed);
  Attempt second{.result = skipped_test(test, policy)};
  second.result.processes = first.result.processes;
  TestRun last = TRY(run_of_step(1, test, second, cancellation));
  last.input = std::move(run.input);  // a checker knows the test and not what was passed on
  if (last.judgement.verdict == Verdict::Accepted)
    TRY_STATUS(check_output(index, last, second.result, cancellation));
  note_time(last, second);
  keep_worst(first, second);
  note_slow(last, kNames[1], slow);
  judge_slow(slow, second.result);
  return second;
}

}  // namespace assay::judge
