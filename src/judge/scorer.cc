#include "judge/scorer.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/checker_text.h"
#include "judge/content.h"
#include "judge/language_steps.h"

namespace assay::judge {
namespace {

constexpr Bytes kMemory{256'000ULL << 10};  // Normal-OJ's, where the problem says none

Invocation invocation_of(const ScorerOrder& order) {
  const Language& language = *order.program.language;
  const auto profile = order.profiles.find(language.profile(Task::Checker));
  sandbox::Limits own = order.problem.scorer->limits;
  if (!own.memory && !order.policy.helper.memory) own.memory = kMemory;
  sandbox::Limits longest = order.problem.limits;
  for (const ProblemTest& test : order.problem.tests)
    longest.cpu_time = std::max(longest.cpu_time, test.limits.cpu_time);
  const RunLimits limits = limits_of_checker(
      language, order.policy,
      {.request = own,
       .problem = longest,
       .profile = profile == order.profiles.end() ? sandbox::Limits{} : profile->second});
  return run_step(language, order.program.sources, limits, Task::Checker);
}

std::string complaint_about(const sandbox::Facts& facts, std::string_view errors) {
  if (facts.cut_off_by != sandbox::CutOff::None) return "the scorer exceeded its limits";
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  if (exited != nullptr && exited->code == 0) return "";
  const std::string words = safe_text(trimmed(errors), 300);
  if (exited == nullptr) return "the scorer crashed: " + words;
  return fmt::format("the scorer exited with {}: {}", exited->code, words);
}

}  // namespace

Result<Scored> run_scorer(sandbox::Sandbox& engine, const ScorerOrder& order,
                          const JudgeResult& result, Cancellation& cancellation) {
  const Invocation step = invocation_of(order);
  const os::OwnedFd input = TRY(sealed({.text = scorer_input(order.problem, result)}));
  std::string said;
  std::string errors;
  const auto keep = [](std::string& text) {
    return sandbox::Collect{.text = &text, .limit = kLogLimit, .discard_rest = true};
  };
  const sandbox::Spec spec{.profile = step.profile,
                           .argv = step.argv,
                           .environment = step.environment,
                           .input = sandbox::Descriptor{input.get()},
                           .output = keep(said),
                           .errors = keep(errors),
                           .files_in = order.program.files_in(),
                           .limits = step.limits};
  const sandbox::Facts facts = TRY(cancellation.run(engine, spec));
  Scored scored;
  scored.complaint = complaint_about(facts, errors);
  if (!scored.complaint.empty()) return scored;
  auto answer = read_scorer_answer(said);
  if (answer)
    scored.answer = *std::move(answer);
  else
    scored.complaint = answer.error().context;
  return scored;
}

}  // namespace assay::judge
