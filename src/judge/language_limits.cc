#include "judge/language_limits.h"

#include <algorithm>
#include <limits>

#include "sandbox/limits.h"

namespace assay::judge {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t times(std::uint64_t value, Factor factor, std::uint64_t most) {
  const Wide product = (static_cast<Wide>(value) * factor.thousandths + 999) / 1000;
  return product > most ? most : static_cast<std::uint64_t>(product);
}

constexpr auto kMostTime = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

Nanoseconds plus(Nanoseconds a, Nanoseconds b) {
  return a > Nanoseconds::max() - b ? Nanoseconds::max() : a + b;
}

Bytes plus(Bytes a, Bytes b) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - a.count;
  return {a.count + std::min(b.count, room)};
}

std::optional<Nanoseconds> wall_of(const TimeRules& rules, const LimitSources& sources,
                                   std::optional<Nanoseconds> cpu) {
  const auto said =
      sources.request.wall_time ? sources.request.wall_time : sources.problem.wall_time;
  if (said) return times(times(*said, rules.multiplier), sources.allowance);
  if (!cpu) return sources.profile.wall_time;
  return plus(times(*cpu, rules.wall_factor), rules.wall_extra);
}

bool holds(const Exhausted& sign, const sandbox::Facts& facts, std::string_view errors) {
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  const auto* signaled = std::get_if<sandbox::Signaled>(&facts.end);
  if (sign.exit_code && (exited == nullptr || exited->code != static_cast<int>(*sign.exit_code)))
    return false;
  if (sign.signal && (signaled == nullptr || signaled->signal != static_cast<int>(*sign.signal)))
    return false;
  return errors.contains(sign.errors);
}

}  // namespace

Nanoseconds times(Nanoseconds time, Factor factor) {
  if (time.count() <= 0) return time;
  return Nanoseconds(static_cast<std::int64_t>(
      times(static_cast<std::uint64_t>(time.count()), factor, kMostTime)));
}

Bytes times(Bytes bytes, Factor factor) {
  return {times(bytes.count, factor, std::numeric_limits<std::uint64_t>::max())};
}

LimitRules LimitRules::of(const Language& language) {
  return {.time = language.time,
          .memory = language.memory.multiplier,
          .memory_overhead = language.memory.overhead,
          .memory_model = language.memory.model,
          .more_processes = language.more_processes};
}

RunLimits limits_for(const Language& language, const LimitSources& sources) {
  return limits_by(LimitRules::of(language), sources);
}

RunLimits limits_by(const LimitRules& rules, const LimitSources& sources) {
  sandbox::Limits limits = sandbox::merge_limits(
      sources.request, sandbox::merge_limits(sources.problem, sources.profile));
  if (limits.cpu_time)
    limits.cpu_time = times(times(*limits.cpu_time, rules.time.multiplier), sources.allowance);
  limits.wall_time = wall_of(rules.time, sources, limits.cpu_time);
  RunLimits chosen;
  if (limits.memory) {
    chosen.memory = times(*limits.memory, rules.memory);
    limits.memory = plus(*chosen.memory, rules.memory_overhead);
  }
  if (limits.processes) *limits.processes += rules.more_processes;
  if (rules.memory_model == MemoryModel::Managed) limits.address_space.reset();
  chosen.enforced = limits;
  return chosen;
}

bool ran_out_of_memory(const Language& language, const sandbox::Facts& facts,
                       std::string_view errors) {
  return std::ranges::any_of(language.memory.exhausted,
                             [&](const Exhausted& sign) { return holds(sign, facts, errors); });
}

}  // namespace assay::judge
