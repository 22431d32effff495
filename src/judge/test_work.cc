#include "judge/test_work.h"

#include <algorithm>

#include "judge/checking.h"
#include "judge/communicate.h"
#include "judge/interact.h"
#include "judge/sanitizers.h"
#include "judge/scoring.h"
#include "judge/soft_limit.h"
#include "judge/teacher.h"
#include "sandbox/limits.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

const std::string& letters_of(Verdict verdict, const verdict::Policy& policy) {
  return policy.verdicts.at(index_of(verdict)).letters;
}

std::optional<int> exit_code_of(const sandbox::Facts& facts) {
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  return exited != nullptr ? std::optional(exited->code) : std::nullopt;
}

}  // namespace

// What there is of an output that was handed in, too.
void take_over(TestRun& run, TestResult& result) {
  result.verdict = run.judgement.verdict;
  result.letters = run.judgement.letters;
  result.message = run.judgement.reason;
  result.output_size = run.output_size;
  result.output = std::move(run.shown);
}

void take_over_measures(TestRun& run, TestResult& result) {
  result.time = run.judgement.reported_time;
  result.wall = run.facts.wall;
  result.memory = run.facts.memory_peak;
  result.exit_code = exit_code_of(run.facts);
  result.errors = std::move(run.errors);
  result.facts = run.facts;
}

TestResult skipped_test(const ProblemTest& test, const verdict::Policy& policy) {
  return {.id = test.id, .subtask = test.subtask, .letters = letters_of(Verdict::Skipped, policy)};
}

TestResult TestWork::test(std::size_t index, Cancellation& cancellation) const {
  TestResult result = skipped_test(problem.tests[index], policy);
  const Status done = try_test(index, result, cancellation);
  if (cancellation.is_cancelled()) return skipped_test(problem.tests[index], policy);
  if (!done) say(result, Verdict::SystemError, describe(done.error()));
  return result;
}

void TestWork::say(TestResult& result, Verdict verdict, std::string message) const {
  result.verdict = verdict;
  result.letters = letters_of(verdict, policy);
  result.message = std::move(message);
}

void TestWork::mark(std::size_t index, const std::optional<Score>& score,
                    TestResult& result) const {
  result.share = share_of(result.verdict, score, worths[index]);
  result.score = result.share * worths[index];
  // Whoever gives points does not know how many are all of them.
  if (result.verdict != Verdict::PartiallyCorrect || result.share < 1) return;
  result.verdict = Verdict::Accepted;
  result.letters = letters_of(result.verdict, policy);
}

Status TestWork::try_test(std::size_t index, TestResult& result, Cancellation& cancellation) const {
  std::vector<Attempt> attempts;
  while (wants_another(options.repeats, attempts) && !cancellation.is_cancelled())
    attempts.push_back(TRY(attempt(index, cancellation)));
  if (!attempts.empty()) result = choose(options.repeats, std::move(attempts));
  return {};
}

Result<Attempt> TestWork::attempt(std::size_t index, Cancellation& cancellation) const {
  if (problem.kind == ProblemKind::TwoStep) return both_steps(index, cancellation);
  if (interactor != nullptr) return interactive_attempt(index, cancellation);
  if (problem.kind == ProblemKind::MultiPass) return all_passes(index, cancellation);
  TestRun run;
  Attempt made = TRY(run_and_check(index, problem.tests[index], run, nullptr, cancellation));
  if (program != nullptr) judge_time(run, made);
  return made;
}

Result<Attempt> TestWork::run_and_check(std::size_t index, const ProblemTest& test, TestRun& run,
                                        Passing* passing, Cancellation& cancellation) const {
  Attempt attempt{.result = skipped_test(test, policy)};
  TestResult& result = attempt.result;
  run = TRY(run_of(index, test, cancellation));
  take_over(run, result);
  if (program != nullptr) take_over_measures(run, result);
  if (run.judgement.verdict == Verdict::Accepted)
    TRY_STATUS(check_output(index, run, result, cancellation, passing));
  return attempt;
}

void TestWork::judge_time(const TestRun& run, Attempt& attempt) const {
  note_time(run, attempt);
  apply_declared_limit(run, policy, options.soft, attempt.result);
}

void TestWork::note_time(const TestRun& run, Attempt& attempt) const {
  TestResult& result = attempt.result;
  result.sanitizer_report = has_sanitizer_report(*program->language, result.errors);
  if (const auto limit = run.declared.cpu_time ? run.declared.cpu_time : run.facts.limits.cpu_time)
    attempt.near = is_near(run.facts, run.facts.cpu_total, *limit, options.repeats.margin);
}

Result<Interacted> TestWork::talk(const InteractOrder& order,
                                  std::vector<sandbox::Facts>& processes,
                                  Cancellation& cancellation) const {
  if (problem.kind == ProblemKind::Communication) {
    Communicated done = TRY(communicate(engine, order, cancellation));
    processes = std::move(done.processes);
    return std::move(done.talk);
  }
  if (problem.interactor->protocol == Protocol::Noj) return teach(engine, order, cancellation);
  return interact(engine, order, cancellation);
}

Bytes TestWork::dialogue_limit() const {
  return std::min(options.dialogue, Bytes{kDialoguesTogether.count / problem.tests.size()});
}

Result<Attempt> TestWork::interactive_attempt(std::size_t index, Cancellation& cancellation) const {
  Attempt attempt{.result = skipped_test(problem.tests[index], policy)};
  TestResult& result = attempt.result;
  const TestOrder order = order_of(problem.tests[index]);
  InteractOrder meeting{.test = order, .interactor = *interactor, .dialogue = dialogue_limit()};
  if (events.said)
    meeting.heard = [&](const exec::Remark& remark) {
      events.said(index, remark);
    };
  Interacted done = TRY(talk(meeting, result.processes, cancellation));
  take_over(done.run, result);
  take_over_measures(done.run, result);
  say(result, done.ruling.verdict, std::move(done.ruling.reason));
  result.checker_log = std::move(done.log);
  result.interaction = std::move(done.result);
  if (done.ruling.is_interactors) {
    result.team_message = std::move(done.said.team_message);
    mark(index, done.said.score, result);
    if (result.verdict == Verdict::Accepted && problem.has_own_checker)
      TRY_STATUS(check_output(index, done.run, result, cancellation));
  }
  judge_time(done.run, attempt);
  return attempt;
}

Result<TestRun> TestWork::run_of(std::size_t index, const ProblemTest& test,
                                 Cancellation& cancellation) const {
  if (program == nullptr) return handed_in(test, (*outputs)[index], policy);
  return run_test(engine, order_of(test), cancellation);
}

TestOrder TestWork::order_of(const ProblemTest& test) const {
  return {.program = *program,
          .problem = problem,
          .test = test,
          .request = options.limits,
          .profiles = profiles,
          .policy = policy,
          .allowance = allowance(),
          .files = &files};
}

Allowance TestWork::allowance() const {
  const Factor repeats = allowance_of(options.repeats);
  return {.time = {std::max(options.soft.thousandths, repeats.thousandths)},
          .sanitized = options.sanitize};
}

Status TestWork::check_output(std::size_t index, const TestRun& run, TestResult& result,
                              Cancellation& cancellation, Passing* passing) const {
  const ProblemTest& test = problem.tests[index];
  Checked checked = TRY(check(engine,
                              {.checker = rule,
                               .program = &checker,
                               .test = test,
                               .run = run,
                               .profiles = profiles,
                               .policy = policy,
                               .problem = sandbox::merge_limits(test.limits, problem.limits),
                               .passing = passing},
                              cancellation));
  say(result, checked.result.verdict, std::move(checked.result.message));
  result.team_message = std::move(checked.result.team_message);
  result.checker_log = std::move(checked.log);
  mark(index, checked.result.score, result);
  return {};
}

}  // namespace assay::judge
