#include "judge/checking.h"

#include <fmt/format.h>

#include "judge/crash_signs.h"
#include "judge/language_steps.h"
#include "judge/test_limits.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

const CheckerFiles kFiles{
    .input = "input.txt", .output = "output.txt", .answer = "answer.txt", .feedback = "feedback"};

Result<os::OwnedFd> own_copy(int file) {
  return sealed({.file = std::make_shared<os::OwnedFd>(TRY(os::duplicate(file)))});
}

Side side_of(const Content& content) {
  if (content.file) return {.file = content.file->get(), .part = content.part};
  return {.text = content.text};
}

Invocation invocation_of(const CheckOrder& order, const CheckerProgram& checker) {
  const Language& language = *order.program->language;
  const auto profile = order.profiles.find(language.profile(Task::Checker));
  const RunLimits limits = limits_of_checker(
      language, order.policy,
      {.request = checker.limits,
       .problem = order.problem,
       .profile = profile == order.profiles.end() ? sandbox::Limits{} : profile->second});
  return run_step(language, order.program->sources, limits, Task::Checker,
                  checker_arguments(checker.protocol, kFiles, checker.arguments));
}

CheckResult without_passes(CheckResult result) {
  if (!result.another_pass) return result;
  return {.verdict = Verdict::JudgeFailed,
          .message = "the checker asks for another pass, which batch problems do not have"};
}

Result<CheckResult> with_next_pass(CheckResult result, FeedbackDirectory& feedback,
                                   const sandbox::Facts& facts, Passing& passing) {
  const auto failed = [](std::string message) {
    return CheckResult{.verdict = Verdict::JudgeFailed, .message = std::move(message)};
  };
  auto input = feedback.next_pass(facts);
  if (!input) return failed("the validator's nextpass.in is too large or no regular file");
  auto left = feedback.left();
  if (!left && left.error().fault == Fault::System) return std::unexpected(left.error());
  if (!left)
    return failed("the validator's feedback directory cannot be kept for the next pass: " +
                  describe(left.error()));
  passing = {.feedback = *std::move(left), .next_input = std::move(input)};
  return result;
}

Result<Checked> run_checker(sandbox::Sandbox& engine, const CheckOrder& order,
                            const CheckerProgram& checker, Cancellation& cancellation) {
  const Invocation step = invocation_of(order, checker);
  const os::OwnedFd answer = TRY(sealed(order.test.answer));
  const os::OwnedFd input = TRY(own_copy(order.run.input.get()));
  const os::OwnedFd output = TRY(sealed(order.run.output));
  std::string said;
  std::string errors;
  const auto keep = [](std::string& text) {
    return sandbox::Collect{.text = &text, .limit = kLogLimit, .discard_rest = true};
  };
  sandbox::Spec spec{.profile = step.profile,
                     .argv = step.argv,
                     .environment = step.environment,
                     .output = keep(said),
                     .errors = keep(errors),
                     .limits = step.limits};
  order.program->put_into(spec);
  spec.files_in.push_back({.name = kFiles.input, .source = input.get()});
  spec.files_in.push_back({.name = kFiles.answer, .source = answer.get()});
  if (reads_output_on_stdin(checker.protocol))
    spec.input = sandbox::Descriptor{output.get()};
  else
    spec.files_in.push_back({.name = kFiles.output, .source = output.get()});
  FeedbackDirectory feedback(kFiles.feedback);
  const bool with_feedback = needs_feedback_directory(checker.protocol);
  if (order.passing != nullptr) feedback.continue_from(order.passing->feedback);
  if (with_feedback) feedback.order(spec);
  const sandbox::Facts facts = TRY(cancellation.run(engine, spec));
  const CheckerRun run{.end = facts.end,
                       .cut_off_by = facts.cut_off_by,
                       .output = said,
                       .errors = errors,
                       .feedback = with_feedback ? feedback.found(facts) : Feedback{}};
  Checked checked{
      .result = unless_crashed(interpret(checker.protocol, run), *order.program->language,
                               checker.protocol, run, all_of(output.get())),
      .log = said + errors};
  if (order.passing == nullptr) checked.result = without_passes(std::move(checked.result));
  if (checked.result.another_pass)
    checked.result =
        TRY(with_next_pass(std::move(checked.result), feedback, facts, *order.passing));
  return checked;
}

}  // namespace

Result<Checked> check(sandbox::Sandbox& engine, const CheckOrder& order,
                      Cancellation& cancellation) {
  if (const auto* program = std::get_if<CheckerProgram>(&order.checker))
    return run_checker(engine, order, *program, cancellation);
  return Checked{.result = TRY(compare(side_of(order.run.output), side_of(order.test.answer),
                                       std::get<Comparison>(order.checker)))};
}

}  // namespace assay::judge
