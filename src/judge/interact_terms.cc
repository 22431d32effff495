#include "judge/interact_terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/language_steps.h"
#include "sandbox/limits.h"

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using verdict::Verdict;

constexpr Nanoseconds kPartnerExtra = 1s;  // past the solution's wall limit
constexpr Bytes kMostSaid = 64_MiB;        // where no output limit is given

CheckResult failed(std::string message) {
  return {.verdict = Verdict::JudgeFailed, .message = std::move(message)};
}

}  // namespace

RunLimits limits_of_partner(const InteractOrder& order, const sandbox::Limits& own,
                            const sandbox::Limits& solution) {
  const Language& language = *order.interactor.language;
  const auto profile = order.test.profiles.find(language.profile(Task::Interactor));
  RunLimits limits = limits_of_checker(
      language, order.test.policy,
      {.request = own,
       .problem = sandbox::merge_limits(order.test.test.limits, order.test.problem.limits),
       .profile = profile == order.test.profiles.end() ? sandbox::Limits{} : profile->second});
  if (!own.wall_time && solution.wall_time)
    limits.enforced.wall_time =
        *solution.wall_time + order.test.policy.wall.interactor_extra.value_or(kPartnerExtra);
  return limits;
}

void limit_idleness(const verdict::Policy& policy, std::vector<sandbox::Spec>& programs) {
  const sandbox::Limits& solution = programs.front().limits;
  std::optional<Nanoseconds> idle = solution.idle_time;
  if (!idle) idle = policy.interactive.idle;
  if (!idle) return;
  if (solution.wall_time) idle = std::min(*idle, *solution.wall_time * 3 / 4);
  for (sandbox::Spec& spec : programs) {
    spec.limits.idle_time = idle;
    spec.idle_together = true;
  }
}

Bytes most_said(const verdict::Policy& policy, const sandbox::Spec& program) {
  const auto& rule = policy.limits.interactive_output;
  return program.limits.output ? *program.limits.output : rule.value_or(kMostSaid);
}

exec::Relay::ReaderGone fate_of_writers(const verdict::Policy& policy) {
  return policy.interactive.reader_gone == verdict::ReaderGone::Signal
             ? exec::Relay::ReaderGone::Break
             : exec::Relay::ReaderGone::Drain;
}

Nanoseconds silence_of(const GroupRun& run) {
  auto last = run.begun;
  for (const exec::Relay::Counts& counts : run.channels)
    last = std::max(last, counts.last_at);
  return std::chrono::steady_clock::now() - last;
}

Bytes kept_for(const Language& partner, Protocol protocol) {
  return may_hide_crashes(partner, protocol) ? 1_MiB : Bytes{};
}

// Of whoever said more than was kept, nobody knows what it was.
Judged heard_on(const GroupRun& run, std::vector<std::size_t> channels) {
  return [&run, channels = std::move(channels)](const auto& take) {
    for (const std::size_t channel : channels) {
      if (run.kept[channel].size() < run.channels[channel].bytes) return false;
      take(run.kept[channel]);
    }
    return true;
  };
}

CheckResult interpret_partner(std::string_view who, Protocol protocol, const CheckerRun& run,
                              const Language& language, const Judged& judged) {
  constexpr std::string_view kChecker = "the checker";
  CheckResult result = unless_crashed(interpret(protocol, run), language, protocol, run, judged);
  if (result.verdict == Verdict::JudgeFailed && result.message.starts_with(kChecker))
    result.message.replace(0, kChecker.size(), who);
  if (result.another_pass)
    return failed(fmt::format("{} asks for another pass, which this problem does not have", who));
  return result;
}

}  // namespace assay::judge
