#include "judge/pipeline.h"

#include <fmt/format.h>

#include <set>

#include "judge/checker_text.h"
#include "judge/compiler.h"
#include "judge/compilers.h"
#include "judge/sanitizers.h"
#include "judge/scorer.h"
#include "judge/scoring.h"
#include "judge/stopping.h"
#include "judge/test_work.h"
#include "judge/testing.h"
#include "judge/usual_checker.h"
#include "sandbox/profile.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

// A file of the problem must not take the place of the program.
Status check_names(const Problem& problem, const TestFiles& files, const Program& program) {
  std::set<std::string> names;
  if (problem.io_mode != IoMode::Stdio) names = {problem.input_file, problem.output_file};
  for (const ProblemTest& test : problem.tests)
    for (const sandbox::FileIn& file : files_for(files.solution, test.id, Folders::Keep))
      names.insert(file.name);
  for (const ProgramFile& file : program.files)
    if (names.contains(file.name))
      return invalid(fmt::format("the problem's file '{}' is called like the program", file.name));
  return {};
}

bool has_teacher(const Problem& problem) {
  return problem.interactor && problem.interactor->protocol == Protocol::Noj;
}

void call(JudgeResult& result, Verdict verdict, const verdict::Policy& policy,
          std::string message) {
  result.status = status_of(verdict);
  result.verdict = verdict;
  result.letters = policy.verdicts.at(index_of(verdict)).letters;
  result.summary.worst = result.letters;
  result.message = std::move(message);
}

}  // namespace

Result<ProfileLimits> load_profile_limits(const std::string& directory,
                                          const LanguageSet& languages) {
  ProfileLimits limits;
  for (const Language& language : languages.all())
    for (const std::string& name : language.profiles)
      if (!limits.contains(name)) limits[name] = TRY(sandbox::load_profile(directory, name)).limits;
  // A problem may name any of the others.
  for (const std::string& name : TRY(sandbox::list_profiles(directory)))
    if (!limits.contains(name)) limits[name] = TRY(sandbox::load_profile(directory, name)).limits;
  return limits;
}

Result<Compiled> Judge::compiled(const CompileOrder& order, Cancellation& cancellation) const {
  if (tools_.compilers != nullptr) return tools_.compilers->compile(order, policy_, cancellation);
  return compile(engine_, order, policy_, cancellation);
}

Result<Program> Judge::compile_checker(const Submission& source, const char* what,
                                       Cancellation& cancellation) const {
  auto order = compile_order(languages_, source);
  if (!order) return invalid(fmt::format("the {}: {}", what, describe(order.error())));
  Compiled compiled = TRY(this->compiled(*order, cancellation));
  if (compiled.program) return *std::move(compiled.program);
  return invalid(fmt::format("the {} does not compile: {}: {}", what, compiled.result->error,
                             safe_text(trimmed(compiled.result->log), 300)));
}

Result<Program> Judge::checker_of(const Problem& problem, Cancellation& cancellation) const {
  const auto* source = std::get_if<CheckerProgram>(&problem.checker);
  const bool unused = problem.interactor && !problem.has_own_checker;
  if (source == nullptr || unused) return Program{};
  return compile_checker(source->source, "checker", cancellation);
}

Result<std::vector<TestResult>> Judge::test(const Problem& problem, const Judged& judged,
                                            const JudgeOptions& options, const JudgeEvents& events,
                                            Cancellation& cancellation) const {
  TestFiles files =
      TRY(test_files_of({.engine = engine_, .languages = languages_, .unpacker = tools_.unpacker},
                        problem, cancellation));
  if (judged.compiled.program) TRY_STATUS(check_names(problem, files, *judged.compiled.program));
  const Program checker = TRY(checker_of(problem, cancellation));
  Program interactor;
  if (problem.interactor)
    interactor = TRY(compile_checker(
        problem.interactor->source, has_teacher(problem) ? "teacher" : "interactor", cancellation));
  if (problem.manager)
    interactor = TRY(compile_checker(problem.manager->source, "manager", cancellation));
  if (events.testing) events.testing();
  const TestWork work{.engine = engine_,
                      .profiles = profiles_,
                      .policy = policy_,
                      .problem = problem,
                      .options = options,
                      .program = judged.compiled.program ? &*judged.compiled.program : nullptr,
                      .outputs = judged.outputs ? &*judged.outputs : nullptr,
                      .rule = TRY(checker_under(problem, policy_)),
                      .checker = checker,
                      .interactor = problem.interactor || problem.manager ? &interactor : nullptr,
                      .events = events,
                      .worths = worths(problem),
                      .files = std::move(files)};
  auto tests = run_tests(
      {.problem = problem,
       .stop = stop_rule(options.stop, problem, policy_),
       .workers = options.workers,
       // Programs that talk want a core each.
       .cores = problem.interactor || problem.manager ? std::vector<unsigned>{} : options.cores,
       .test = [&](std::size_t i, Cancellation& part) { return work.test(i, part); },
       .tested = events.tested},
      cancellation);
  std::vector<TestResult> results;
  for (std::size_t i = 0; i < tests.size(); ++i)
    results.push_back(tests[i] ? *std::move(tests[i]) : skipped_test(problem.tests[i], policy_));
  return results;
}

// What a scorer gets wrong is a failure of the problem, and the scores are none.
Status Judge::score(const Problem& problem, JudgeResult& result, Cancellation& cancellation) const {
  auto program = compile_checker(problem.scorer->source, "scorer", cancellation);
  if (cancellation.is_cancelled()) return {};
  if (!program) return std::unexpected(std::move(program).error());
  const ScorerOrder order{
      .problem = problem, .program = *program, .profiles = profiles_, .policy = policy_};
  Scored scored = TRY(run_scorer(engine_, order, result, cancellation));
  if (scored.complaint.empty())
    if (const Status used = apply_scorer_answer(problem, scored.answer, policy_, result); !used)
      scored.complaint = used.error().context;
  if (scored.complaint.empty()) return {};
  result.score = result.summary.total_score = 0;
  call(result, Verdict::JudgeFailed, policy_, std::move(scored.complaint));
  return {};
}

Result<JudgeResult> Judge::judge_valid(const Problem& problem, const Submission& submission,
                                       JudgeResult result, const JudgeOptions& options,
                                       const JudgeEvents& events,
                                       Cancellation& cancellation) const {
  const Judged judged = TRY(make_ready(problem, submission, options, cancellation));
  result.lint = judged.lint;
  result.compile = judged.compiled.result;
  const bool is_ready = judged.compiled.program || judged.outputs;
  if (result.compile && events.compiled) events.compiled(*result.compile);
  if (is_ready) {
    auto tests = test(problem, judged, options, events, cancellation);
    if (!tests && has_teacher(problem) && tests.error().fault == Fault::InvalidRequest)
      return teacher_failed(problem, std::move(result), tests.error().context);
    // A checker that was stopped did not compile either.
    if (!tests && !cancellation.is_cancelled()) return std::unexpected(std::move(tests).error());
    if (tests) result.tests = *std::move(tests);
  }
  for (std::size_t i = result.tests.size(); i < problem.tests.size(); ++i)
    result.tests.push_back(skipped_test(problem.tests[i], policy_));
  sum_up(problem, policy_, result);
  if (is_ready && problem.scorer && !verdict::is_our_fault(result.verdict))
    TRY_STATUS(score(problem, result, cancellation));
  if (cancellation.is_cancelled())
    call(result, Verdict::Skipped, policy_, "cancelled");
  else if (!is_ready)
    call(result, Verdict::CompileError, policy_,
         (result.compile ? result.compile : result.lint)->error);
  return result;
}

// In Normal-OJ that is a verdict, and other policies have a word for it, too.
JudgeResult Judge::teacher_failed(const Problem& problem, JudgeResult result,
                                  const std::string& why) const {
  result.tests = failed(problem, Verdict::Skipped, "").tests;
  sum_up(problem, policy_, result);
  call(result, policy_.check.invalid_result, policy_, why);
  return result;
}

JudgeResult Judge::failed(const Problem& problem, Verdict verdict, std::string message) const {
  JudgeResult result;
  for (const ProblemTest& test : problem.tests)
    result.tests.push_back(skipped_test(test, policy_));
  call(result, verdict, policy_, std::move(message));
  return result;
}

Result<JudgeResult> Judge::judge(const Problem& problem, const Submission& submission,
                                 const JudgeOptions& options, const JudgeEvents& events,
                                 Cancellation& cancellation) const {
  const auto received_at = JudgeResult::Clock::now();
  TRY_STATUS(check_problem(problem));
  TRY_STATUS(check_scores(problem, policy_));
  const bool has_language = problem.kind != ProblemKind::OutputOnly;
  const std::string language = has_language ? TRY(languages_.find(submission.language))->id : "";
  Submission built = submission;
  if (options.sanitize && has_language) built = TRY(with_sanitizers(languages_, submission));
  JudgeResult result{
      .submission_id = submission.id, .language = language, .received_at = received_at};
  auto judged = judge_valid(problem, built, result, options, events, cancellation);
  if (!judged && judged.error().fault != Fault::System)
    return std::unexpected(std::move(judged).error());
  if (judged)
    result = *std::move(judged);
  else
    result = failed(problem, Verdict::SystemError, describe(judged.error()));
  result.submission_id = submission.id;
  result.language = language;
  result.received_at = received_at;
  result.finished_at = JudgeResult::Clock::now();
  if (events.finished) events.finished(result);
  return result;
}

}  // namespace assay::judge
