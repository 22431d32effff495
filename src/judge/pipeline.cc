#include "judge/pipeline.h"

#include <fmt/format.h>

#include "judge/checker_text.h"
#include "judge/checking.h"
#include "judge/compiler.h"
#include "judge/sanitizers.h"
#include "judge/scoring.h"
#include "judge/soft_limit.h"
#include "judge/stopping.h"
#include "judge/testing.h"
#include "sandbox/profile.h"
#include "sandbox/request.h"

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

// A file of the problem must not take the place of the program.
Status check_names(const Problem& problem, const Program& program) {
  if (problem.io_mode == IoMode::Stdio) return {};
  for (const ProgramFile& file : program.files)
    if (file.name == problem.input_file || file.name == problem.output_file)
      return invalid(fmt::format("the problem's file '{}' is called like the program", file.name));
  return {};
}

void call(JudgeResult& result, Verdict verdict, const verdict::Policy& policy,
          std::string message) {
  const bool ours = verdict::is_our_fault(verdict) || verdict == Verdict::Skipped;
  result.status = ours ? JudgeStatus::Failed : JudgeStatus::Finished;
  result.verdict = verdict;
  result.letters = letters_of(verdict, policy);
  result.message = std::move(message);
}

}  // namespace

// What the tests of one submission share.
struct Judge::Work {
  const Judge& judge;
  const Problem& problem;
  const JudgeOptions& options;
  const Program& program;
  const Program& checker;
  std::vector<double> worths{};

  // Whatever fails of ours becomes the test's system error. What a run that was stopped looks like
  // is nobody's business, whatever the policy would call it.
  TestResult test(std::size_t index, Cancellation& cancellation) const {
    TestResult result = judge.skipped(problem.tests[index]);
    const Status done = try_test(index, result, cancellation);
    if (cancellation.is_cancelled()) return judge.skipped(problem.tests[index]);
    if (!done) say(result, Verdict::SystemError, describe(done.error()));
    return result;
  }

  void say(TestResult& result, Verdict verdict, std::string message) const {
    result.verdict = verdict;
    result.letters = letters_of(verdict, judge.policy_);
    result.message = std::move(message);
  }

  Status try_test(std::size_t index, TestResult& result, Cancellation& cancellation) const {
    std::vector<Attempt> attempts;
    while (wants_another(options.repeats, attempts) && !cancellation.is_cancelled())
      attempts.push_back(TRY(attempt(index, cancellation)));
    if (!attempts.empty()) result = choose(options.repeats, std::move(attempts));
    return {};
  }

  Result<Attempt> attempt(std::size_t index, Cancellation& cancellation) const {
    const ProblemTest& test = problem.tests[index];
    Attempt attempt{.result = judge.skipped(test)};
    TestResult& result = attempt.result;
    TestRun run = TRY(run_test(judge.engine_,
                               {.program = program,
                                .problem = problem,
                                .test = test,
                                .request = options.limits,
                                .profiles = judge.profiles_,
                                .policy = judge.policy_,
                                .allowance = allowance()},
                               cancellation));
    take_over(run, result);
    result.sanitizer_report = has_sanitizer_report(*program.language, result.errors);
    if (run.judgement.verdict == Verdict::Accepted)
      TRY_STATUS(check_output(index, run, result, cancellation));
    apply_declared_limit(run, judge.policy_, options.soft, result);
    if (const auto limit =
            run.declared.cpu_time ? run.declared.cpu_time : run.facts.limits.cpu_time)
      attempt.near = is_near(run.facts, run.facts.cpu_total, *limit, options.repeats.margin);
    return attempt;
  }

  [[nodiscard]] Allowance allowance() const {
    const Factor repeats = allowance_of(options.repeats);
    return {.time = {std::max(options.soft.thousandths, repeats.thousandths)},
            .sanitized = options.sanitize};
  }

  Status check_output(std::size_t index, const TestRun& run, TestResult& result,
                      Cancellation& cancellation) const {
    const ProblemTest& test = problem.tests[index];
    Checked checked = TRY(check(judge.engine_,
                                {.checker = problem.checker,
                                 .program = &checker,
                                 .test = test,
                                 .run = run,
                                 .profiles = judge.profiles_,
                                 .problem = sandbox::merge_limits(test.limits, problem.limits)},
                                cancellation));
    say(result, checked.result.verdict, std::move(checked.result.message));
    result.checker_log = std::move(checked.log);
    result.share = share_of(result.verdict, checked.result.score, worths[index]);
    result.score = result.share * worths[index];
    return {};
  }

  static void take_over(TestRun& run, TestResult& result) {
    result.verdict = run.judgement.verdict;
    result.letters = run.judgement.letters;
    result.message = run.judgement.reason;
    result.time = run.judgement.reported_time;
    result.wall = run.facts.wall;
    result.memory = run.facts.memory_peak;
    result.output_size = run.output_size;
    result.exit_code = exit_code_of(run.facts);
    result.output = std::move(run.shown);
    result.errors = std::move(run.errors);
    result.facts = run.facts;
  }
};

TestResult Judge::skipped(const ProblemTest& test) const {
  return {.id = test.id, .subtask = test.subtask, .letters = letters_of(Verdict::Skipped, policy_)};
}

Result<ProfileLimits> load_profile_limits(const std::string& directory,
                                          const LanguageSet& languages) {
  ProfileLimits limits;
  for (const Language& language : languages.all())
    for (const std::string& name : language.profiles)
      if (!limits.contains(name)) limits[name] = TRY(sandbox::load_profile(directory, name)).limits;
  return limits;
}

Result<Program> Judge::compile_checker(const CheckerProgram& checker,
                                       Cancellation& cancellation) const {
  auto order = compile_order(languages_, checker.source);
  if (!order) return invalid("the checker: " + describe(order.error()));
  Compiled compiled = TRY(compile(engine_, *order, policy_, cancellation));
  if (compiled.program) return *std::move(compiled.program);
  return invalid(fmt::format("the checker does not compile: {}: {}", compiled.result->error,
                             safe_text(trimmed(compiled.result->log), 300)));
}

Result<Program> Judge::checker_of(const Problem& problem, Cancellation& cancellation) const {
  const auto* source = std::get_if<CheckerProgram>(&problem.checker);
  if (source == nullptr) return Program{};
  return compile_checker(*source, cancellation);
}

Result<std::vector<TestResult>> Judge::test(const Problem& problem, const Program& program,
                                            const JudgeOptions& options, const JudgeEvents& events,
                                            Cancellation& cancellation) const {
  TRY_STATUS(check_names(problem, program));
  const Program checker = TRY(checker_of(problem, cancellation));
  const Work work{.judge = *this,
                  .problem = problem,
                  .options = options,
                  .program = program,
                  .checker = checker,
                  .worths = worths(problem)};
  auto tests =
      run_tests({.problem = problem,
                 .stop = stop_rule(options.stop, problem, policy_),
                 .workers = options.workers,
                 .test = [&](std::size_t i, Cancellation& part) { return work.test(i, part); },
                 .tested = events.tested},
                cancellation);
  std::vector<TestResult> results;
  for (std::size_t i = 0; i < tests.size(); ++i)
    results.push_back(tests[i] ? *std::move(tests[i]) : skipped(problem.tests[i]));
  return results;
}

Result<JudgeResult> Judge::judge_valid(const Problem& problem, const CompileOrder& order,
                                       const JudgeOptions& options, const JudgeEvents& events,
                                       Cancellation& cancellation) const {
  JudgeResult result;
  if (options.lint) result.lint = TRY(lint(engine_, order, policy_, cancellation));
  const bool passed = !result.lint || result.lint->ok;
  Compiled compiled;
  if (passed) compiled = TRY(compile(engine_, order, policy_, cancellation));
  result.compile = std::move(compiled.result);
  if (result.compile && events.compiled) events.compiled(*result.compile);
  if (compiled.program) {
    auto tests = test(problem, *compiled.program, options, events, cancellation);
    // A checker that was stopped did not compile either.
    if (!tests && !cancellation.is_cancelled()) return std::unexpected(std::move(tests).error());
    if (tests) result.tests = *std::move(tests);
  }
  for (std::size_t i = result.tests.size(); i < problem.tests.size(); ++i)
    result.tests.push_back(skipped(problem.tests[i]));
  sum_up(problem, policy_, result);
  if (cancellation.is_cancelled())
    call(result, Verdict::Skipped, policy_, "cancelled");
  else if (!compiled.program)
    call(result, Verdict::CompileError, policy_, (passed ? result.compile : result.lint)->error);
  return result;
}

Status Judge::can_judge(const Problem& problem, const Submission& submission) const {
  TRY_STATUS(check_problem(problem));
  TRY(compile_order(languages_, submission));
  return {};
}

JudgeResult Judge::failed(const Problem& problem, Verdict verdict, std::string message) const {
  JudgeResult result;
  for (const ProblemTest& test : problem.tests)
    result.tests.push_back(skipped(test));
  call(result, verdict, policy_, std::move(message));
  return result;
}

Result<JudgeResult> Judge::judge(const Problem& problem, const Submission& submission,
                                 const JudgeOptions& options, const JudgeEvents& events,
                                 Cancellation& cancellation) const {
  const auto received_at = JudgeResult::Clock::now();
  TRY_STATUS(check_problem(problem));
  TRY_STATUS(check_scores(problem, policy_));
  Submission built = submission;
  if (options.sanitize) built = TRY(with_sanitizers(languages_, submission));
  const CompileOrder order = TRY(compile_order(languages_, built));
  auto judged = judge_valid(problem, order, options, events, cancellation);
  if (!judged && judged.error().fault != Fault::System)
    return std::unexpected(std::move(judged).error());
  JudgeResult result;
  if (judged)
    result = *std::move(judged);
  else
    result = failed(problem, Verdict::SystemError, describe(judged.error()));
  result.submission_id = submission.id;
  result.language = order.language->id;
  result.received_at = received_at;
  result.finished_at = JudgeResult::Clock::now();
  if (events.finished) events.finished(result);
  return result;
}

}  // namespace assay::judge
