#include "exec/limits.h"

#include <algorithm>

namespace assay::exec {
namespace {

template <typename T>
std::optional<T> choose(const std::optional<T>& wanted, const std::optional<T>& fallback,
                        const Rules& rules) {
  if (wanted) return wanted;
  return rules.zero_means_zero ? std::optional<T>(T{}) : fallback;
}

// No clock limit means that the clock is limited as the cpu is, as clients of go-judge expect.
std::optional<Nanoseconds> choose_clock(const CommandLimits& wanted, const Rules& rules) {
  if (wanted.clock) return wanted.clock;
  if (wanted.cpu) return wanted.cpu;
  return rules.zero_means_zero ? Nanoseconds{} : rules.defaults.clock;
}

}  // namespace

ChosenLimits choose_limits(const CommandLimits& wanted, const Rules& rules) {
  ChosenLimits chosen;
  sandbox::Limits& limits = chosen.enforced;
  limits.cpu_time = choose(wanted.cpu, rules.defaults.cpu, rules);
  limits.wall_time = choose_clock(wanted, rules);
  limits.idle_time = wanted.idle ? wanted.idle : rules.defaults.idle;
  chosen.memory = choose(wanted.memory, rules.defaults.memory, rules);
  if (chosen.memory) limits.memory = Bytes{chosen.memory->count + rules.extra_memory.count};
  limits.stack = wanted.stack ? wanted.stack : rules.defaults.stack;
  if (limits.stack && limits.memory) limits.stack = std::min(*limits.stack, *limits.memory);
  if (wanted.data_segment) limits.data_segment = limits.memory;
  if (wanted.address_space) limits.address_space = limits.memory;
  limits.output = std::min(wanted.output.value_or(rules.output_limit), rules.output_limit);
  limits.open_files = rules.open_files;
  if (const auto processes = choose(wanted.processes, rules.defaults.processes, rules))
    limits.processes = std::max<std::uint64_t>(*processes, 1);  // the program itself
  if (rules.cpu_rate && wanted.cpu_rate != 0) limits.cpu_permille = wanted.cpu_rate;
  return chosen;
}

}  // namespace assay::exec
