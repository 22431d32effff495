#include "sandbox/limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace assay::sandbox {
namespace {

template <typename T>
std::optional<T> pick(const std::optional<T>& wanted, const std::optional<T>& fallback) {
  return wanted ? wanted : fallback;
}

using HardLimits = std::array<std::uint64_t, RLIM_NLIMITS>;

// Of this process, read once: nobody raises or lowers them while the engine runs.
const HardLimits& own_hard_limits() {
  static const HardLimits limits = [] {
    HardLimits found{};
    for (std::size_t i = 0; i < found.size(); ++i) {
      rlimit own{};
      ::getrlimit(static_cast<__rlimit_resource>(i), &own);
      found[i] = own.rlim_max;
    }
    return found;
  }();
  return limits;
}

// "No limit" as far as this process itself has it: a hard limit cannot be raised in a user
// namespace.
inside::ResourceLimit limit(int resource, std::optional<std::uint64_t> value,
                            std::uint64_t hard_slack = 0) {
  const std::uint64_t own = own_hard_limits()[static_cast<std::size_t>(resource)];
  const std::uint64_t soft = std::min<std::uint64_t>(value.value_or(RLIM_INFINITY), own);
  const std::uint64_t hard = value ? std::min<std::uint64_t>(*value + hard_slack, own) : soft;
  return {resource, 0, soft, hard};
}

std::optional<std::uint64_t> count(const std::optional<Bytes>& bytes, std::uint64_t more = 0) {
  if (!bytes) return std::nullopt;
  return bytes->count + more;
}

// A stack may be as large as memory, unless it was said otherwise. That it is too large is then for
// the memory meter to say, which may begin above zero (kResidue in inside/leaf.cc): at the same
// size the program would now die of the one, now of the other. Where the address space stands in
// for memory, as much would leave no room for a single thread, whose stack is as large.
std::optional<Bytes> stack_limit(const Limits& limits, bool has_meters) {
  constexpr std::uint64_t kMeterFirst = 2U << 20;
  if (limits.stack || !limits.memory) return limits.stack;
  if (has_meters) return Bytes{limits.memory->count + kMeterFirst};
  return Bytes{std::min<std::uint64_t>(limits.memory->count / 8, 8U << 20)};
}

inside::ResourceLimit stack_resource(Limits limits, bool has_meters, Stack stack) {
  inside::ResourceLimit given = limit(RLIMIT_STACK, count(stack_limit(limits, has_meters)));
  if (stack == Stack::Fixed) return given;
  limits.stack.reset();
  given.hard =
      std::max(given.soft, limit(RLIMIT_STACK, count(stack_limit(limits, has_meters))).hard);
  return given;
}

// A backstop only: well behind the meter, so that it can never be the one that ends a run in time.
std::optional<std::uint64_t> cpu_backstop(const Limits& limits) {
  if (!limits.cpu_time) return std::nullopt;
  return static_cast<std::uint64_t>(
             std::chrono::ceil<std::chrono::seconds>(*limits.cpu_time).count()) +
         1;
}

}  // namespace

Limits merge_limits(const Limits& wanted, const Limits& defaults) {
  return {.cpu_time = pick(wanted.cpu_time, defaults.cpu_time),
          .wall_time = pick(wanted.wall_time, defaults.wall_time),
          .idle_time = pick(wanted.idle_time, defaults.idle_time),
          .memory = pick(wanted.memory, defaults.memory),
          .stack = pick(wanted.stack, defaults.stack),
          .address_space = pick(wanted.address_space, defaults.address_space),
          .data_segment = pick(wanted.data_segment, defaults.data_segment),
          .output = pick(wanted.output, defaults.output),
          .total_output = pick(wanted.total_output, defaults.total_output),
          .disk = pick(wanted.disk, defaults.disk),
          .inodes = pick(wanted.inodes, defaults.inodes),
          .open_files = pick(wanted.open_files, defaults.open_files),
          .processes = pick(wanted.processes, defaults.processes),
          .cpu_permille = pick(wanted.cpu_permille, defaults.cpu_permille)};
}

Status check_grantable(const Limits& limits) {
  struct Wish {
    int resource;
    std::optional<std::uint64_t> value;
    const char* what;
  };
  const Wish wishes[] = {{RLIMIT_CPU, cpu_backstop(limits), "cpu time (ulimit -t, in seconds)"},
                         {RLIMIT_FSIZE, count(limits.output, 1), "output (ulimit -f)"},
                         {RLIMIT_STACK, count(limits.stack), "stack (ulimit -s)"},
                         {RLIMIT_DATA, count(limits.data_segment), "data segment (ulimit -d)"},
                         {RLIMIT_AS, count(limits.address_space), "address space (ulimit -v)"}};
  for (const Wish& wish : wishes)
    if (const std::uint64_t own = own_hard_limits()[static_cast<std::size_t>(wish.resource)];
        wish.value && *wish.value > own)
      return invalid(std::string("the limit on ") + wish.what +
                     " cannot be granted: this process was started with a hard limit of " +
                     std::to_string(own) + " itself");
  return {};
}

std::vector<inside::ResourceLimit> resource_limits(const Limits& limits, bool has_meters,
                                                   Stack stack) {
  const std::optional<std::uint64_t> cpu_seconds = cpu_backstop(limits);
  std::vector<inside::ResourceLimit> all{
      limit(RLIMIT_CPU, cpu_seconds, 1),
      limit(RLIMIT_FSIZE, count(limits.output, 1)),
      stack_resource(limits, has_meters, stack),
      limit(RLIMIT_NOFILE, limits.open_files),
      limit(RLIMIT_CORE, 1),  // where there is no filter; boxes have it already, see shed.cc
      limit(RLIMIT_MEMLOCK, 64 << 10),
      limit(RLIMIT_MSGQUEUE, 0),
      // Of one user, so with isolation "none" together with all else of his. Timers, too. Before
      // Linux 6.13 one whose signal is ignored is wound up again by the interrupt itself, at every
      // tick, in the account of whoever runs then.
      limit(RLIMIT_SIGPENDING, 256),
      limit(RLIMIT_DATA, count(limits.data_segment)),
  };
  // Without a cgroup the address space is what there is to limit memory by, and the user's
  // processes are only its own.
  all.push_back(limit(
      RLIMIT_AS, count(has_meters || limits.address_space ? limits.address_space : limits.memory)));
  all.push_back(limit(RLIMIT_NPROC, has_meters ? std::nullopt : limits.processes));
  return all;
}

}  // namespace assay::sandbox
