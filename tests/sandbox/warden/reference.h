// What rules mean, without a compiler: the measure for what libseccomp and our own changes to its
// program make of them.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/warden/rules.h"
#include "sandbox/warden/syscalls.h"
#include "tests/sandbox/warden/bpf.h"

namespace assay::sandbox::warden {

inline bool holds(const Condition& condition, const Arguments& arguments) {
  const std::uint64_t argument = arguments[condition.index];
  switch (condition.compare) {
    case Compare::NotEqual:
      return argument != condition.value;
    case Compare::Less:
      return argument < condition.value;
    case Compare::LessOrEqual:
      return argument <= condition.value;
    case Compare::Equal:
      return argument == condition.value;
    case Compare::GreaterOrEqual:
      return argument >= condition.value;
    case Compare::Greater:
      return argument > condition.value;
    case Compare::MaskedEqual:
      return (argument & condition.value) == condition.value_two;
  }
  return false;
}

inline std::uint32_t action_of(const Decision& decision) {
  switch (decision.action) {
    case Action::Allow:
      return SECCOMP_RET_ALLOW;
    case Action::Log:
      return SECCOMP_RET_LOG;
    case Action::Errno:
      return refused_with(decision.error);
    case Action::Trap:
      return SECCOMP_RET_TRAP;
    case Action::KillThread:
      return SECCOMP_RET_KILL_THREAD;
    case Action::Notify:
      return SECCOMP_RET_USER_NOTIF;
  }
  return 0;
}

// What every filter refuses before its rules are asked, whoever makes the call. An error of 0: it
// succeeds, and nothing was done.
inline std::optional<int> refused_by_guard(int number, const Arguments& arguments) {
  const auto low = [&](std::size_t index) {
    return static_cast<std::uint32_t>(arguments[index]);
  };
  const auto is_one_of = [](std::uint32_t value, std::initializer_list<std::uint32_t> list) {
    return std::ranges::find(list, value) != list.end();
  };
  switch (number) {
    case SYS_madvise:
      return is_one_of(low(2), {12, 25}) ? std::optional(EINVAL) : std::nullopt;
    case SYS_fcntl:
      if (is_one_of(low(1), {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW})) return 0;
      if (low(1) == F_SETFL && (low(2) & O_DIRECT) != 0) return EINVAL;
      return is_one_of(low(1), {F_SETOWN, F_SETSIG, F_SETOWN_EX, 1036, 1038})
                 ? std::optional(EINVAL)
                 : std::nullopt;
    case SYS_flock:
      if ((low(1) | LOCK_NB) == (LOCK_SH | LOCK_NB)) return 0;
      return (low(1) & LOCK_MAND) != 0 ? std::optional(EINVAL) : std::nullopt;
    case SYS_prctl:
      return low(0) == PR_SET_VMA ? std::optional(EINVAL) : std::nullopt;
    case SYS_open:
      return (low(1) & O_DIRECT) != 0 ? std::optional(EINVAL) : std::nullopt;
    case SYS_openat:
      return (low(2) & O_DIRECT) != 0 ? std::optional(EINVAL) : std::nullopt;
    case SYS_setrlimit:
      return low(0) == RLIMIT_CORE ? std::optional(0) : std::nullopt;
    case SYS_prlimit64:
      if (low(1) != RLIMIT_CORE || arguments[2] == 0) return std::nullopt;
      return arguments[3] == 0 ? 0 : EPERM;
    case 451:  // cachestat
      return ENOSYS;
    case SYS_pipe2:
      return (low(1) & O_EXCL) != 0 ? std::optional(ENOPKG) : std::nullopt;
    case SYS_ioctl:
      if (is_one_of(low(1), {0x8940, 0x8941, 0x8982, 0x8983, 0x89a0, 0x89a1, 0x89a2, 0x89a3}))
        return ENOTTY;
      return is_one_of(low(1) >> 8 & 0xff, {'f', 'X', 0x94, 0xf5}) ? std::optional(ENOTTY)
                                                                   : std::nullopt;
    case SYS_preadv2:
    case SYS_pwritev2:
      return low(5) != 0 ? std::optional(EOPNOTSUPP) : std::nullopt;
    case SYS_mmap:
      return (low(3) & MAP_HUGETLB) != 0 ? std::optional(ENOMEM) : std::nullopt;
    case SYS_memfd_create:
      return (low(1) & MFD_HUGETLB) != 0 ? std::optional(EINVAL) : std::nullopt;
    case SYS_shmget:
      return (low(2) & SHM_HUGETLB) != 0 ? std::optional(ENOMEM) : std::nullopt;
    case SYS_setsockopt:
      return low(1) == SOL_SOCKET && is_one_of(low(2), {26, 50, 51, 52}) ? std::optional(EPERM)
                                                                         : std::nullopt;
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_clock_nanosleep:
    case SYS_timer_create:
      return is_one_of(low(0), {0xfffffff0, 0xfffffff1, 0xfffffff2, 0xfffffff3})
                 ? std::optional(EINVAL)
                 : std::nullopt;
    default:
      return std::nullopt;
  }
}

using RulesByNumber = std::map<int, std::vector<const Rule*>>;

inline RulesByNumber by_number(const Rules& rules) {
  RulesByNumber result;
  for (const Rule& rule : rules.rules)
    for (const std::string& name : rule.names)
      result[syscall_number(name).value_or(-1)].push_back(&rule);
  return result;
}

// What the rules for one number say, read one after the other.
inline std::uint32_t meant(const Rules& rules, const std::vector<const Rule*>& about,
                           const Arguments& arguments) {
  for (const Rule* rule : about)
    if (std::ranges::all_of(rule->conditions, [&](const auto& c) { return holds(c, arguments); }))
      return action_of(rule->decision);
  return action_of(rules.otherwise);
}

}  // namespace assay::sandbox::warden
