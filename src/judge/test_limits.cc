#include "judge/test_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sandbox/limits.h"

namespace assay::judge {
namespace {

constexpr Factor kSanitizedTime{10'000};
constexpr Factor kSanitizedMemory{4'000};
constexpr Bytes kSanitizedExtra = 256_MiB;
constexpr Nanoseconds kCheckerTime = std::chrono::seconds(5);
constexpr Factor kCheckerTimes{5'000};
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr Bytes kAnyStack{kMost};  // RLIM_INFINITY

Factor factor_of(double times) {
  return {static_cast<std::uint64_t>(std::llround(times * 1000))};
}

}  // namespace

sandbox::Limits limits_of_policy(const verdict::Policy& policy,
                                 const std::optional<Bytes>& memory) {
  const verdict::LimitRules& rules = policy.limits;
  sandbox::Limits limits{
      .address_space = rules.address_space, .output = rules.output, .processes = rules.processes};
  if (rules.stack == verdict::Stack::Unlimited) limits.stack = kAnyStack;
  if (!memory) return limits;
  if (rules.address_space_factor)
    limits.address_space = times(*memory, factor_of(*rules.address_space_factor));
  if (rules.stack == verdict::Stack::Memory && rules.stack_factor != 1)
    limits.stack = times(*memory, factor_of(rules.stack_factor));
  return limits;
}

namespace {

LimitRules rules_under(const verdict::WallRules& wall, const Language& language) {
  LimitRules rules = LimitRules::of(language);
  if (!wall.factor) return rules;
  const auto own = wall.extra_of_language.find(language.family);
  rules.time.wall_factor = factor_of(*wall.factor);
  rules.time.wall_extra = own == wall.extra_of_language.end() ? wall.extra : own->second;
  return rules;
}

void round_up(RunLimits& limits) {
  using std::chrono::milliseconds;
  const auto whole = [](std::optional<Bytes>& bytes) {
    constexpr std::uint64_t kUnit = 1 << 20;
    if (bytes && bytes->count < kMost - kUnit)
      bytes = Bytes{(bytes->count + kUnit - 1) / kUnit * kUnit};
  };
  for (auto* time : {&limits.enforced.cpu_time, &limits.enforced.wall_time})
    if (*time && **time < std::chrono::hours(24)) *time = std::chrono::ceil<milliseconds>(**time);
  whole(limits.memory);
  whole(limits.enforced.memory);
}

LimitSources for_sanitizers(LimitSources sources) {
  for (auto* limits : {&sources.request, &sources.problem, &sources.profile}) {
    if (limits->memory) {
      const Bytes room = times(*limits->memory, kSanitizedMemory);
      limits->memory = Bytes{room.count + std::min(kSanitizedExtra.count, kMost - room.count)};
    }
    limits->address_space.reset();
  }
  return sources;
}

// Where user time decides, what the kernel does for a program must not end it in time: as
// Normal-OJ's sandbox does, it is ended some whole seconds later.
Nanoseconds backstop(Nanoseconds limit) {
  using std::chrono::seconds;
  const auto whole = std::chrono::floor<seconds>(limit);
  return whole + seconds(limit - whole > std::chrono::milliseconds(800) ? 2 : 1);
}

}  // namespace

RunLimits limits_of_checker(const Language& language, const verdict::Policy& policy,
                            LimitSources sources) {
  LimitRules rules = LimitRules::of(language);
  rules.time.multiplier = rules.memory = Factor{};
  const auto cpu = sources.problem.cpu_time;
  sources.problem = policy.helper;
  // Who says how long it may compute has a wall limit that follows from that.
  if (sources.request.cpu_time) sources.problem.wall_time.reset();
  if (!sources.problem.cpu_time)
    sources.problem.cpu_time =
        std::max<Nanoseconds>(kCheckerTime, cpu ? times(*cpu, kCheckerTimes) : Nanoseconds{});
  return limits_by(rules, sources);
}

TestLimits limits_of_test(const Language& language, const verdict::Policy& policy,
                          const LimitSources& sources, const Allowance& allowance) {
  const LimitRules by_policy = rules_under(policy.wall, language);
  LimitSources all = allowance.sanitized ? for_sanitizers(sources) : sources;
  sandbox::Limits defaults = limits_of_policy(policy, limits_by(by_policy, all).memory);
  if (allowance.sanitized) defaults.address_space.reset();
  all.profile = sandbox::merge_limits(defaults, all.profile);
  const auto limits_with = [&](Factor more) {
    all.allowance = more;
    RunLimits limits = limits_by(by_policy, all);
    if (policy.limits.round_up) round_up(limits);
    return limits;
  };
  const RunLimits plain = limits_with({});
  const Factor more{std::max(allowance.time.thousandths,
                             (allowance.sanitized ? kSanitizedTime : Factor{}).thousandths)};
  const bool by_user_time = policy.run.cpu_clock == verdict::CpuClock::User;
  if ((more == Factor{} && !by_user_time) || !plain.enforced.cpu_time) return {.run = plain};
  TestLimits limits{.run = limits_with(more)};
  if (by_user_time && !allowance.sanitized)
    limits.run.enforced.cpu_time = backstop(*limits.run.enforced.cpu_time);
  if (!allowance.sanitized)
    limits.declared = {.cpu_time = plain.enforced.cpu_time, .wall_time = plain.enforced.wall_time};
  return limits;
}

}  // namespace assay::judge
