// What rules mean, without a compiler: the measure for what libseccomp and our own changes to its
// program make of them.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <initializer_list>
#include <map>
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

// What every filter refuses before its rules are asked, whoever makes the call; 0: nothing.
inline int refused_by_guard(int number, const Arguments& arguments) {
  const auto low = [&](std::size_t index) {
    return static_cast<std::uint32_t>(arguments[index]);
  };
  const auto is_one_of = [](std::uint32_t value, std::initializer_list<std::uint32_t> list) {
    return std::ranges::find(list, value) != list.end();
  };
  switch (number) {
    case SYS_madvise:
      return is_one_of(low(2), {12, 25}) ? EINVAL : 0;
    case SYS_fcntl:
      if (low(1) == F_SETFL && (low(2) & O_DIRECT) != 0) return EINVAL;
      return is_one_of(low(1), {1036, 1038}) ? EINVAL : 0;
    case SYS_open:
      return (low(1) & O_DIRECT) != 0 ? EINVAL : 0;
    case SYS_openat:
      return (low(2) & O_DIRECT) != 0 ? EINVAL : 0;
    case SYS_ioctl:
      return is_one_of(low(1) >> 8 & 0xff, {'f', 'X', 0x94, 0xf5}) ? ENOTTY : 0;
    case SYS_preadv2:
    case SYS_pwritev2:
      return low(5) != 0 ? EOPNOTSUPP : 0;
    case SYS_mmap:
      return (low(3) & MAP_HUGETLB) != 0 ? ENOMEM : 0;
    case SYS_memfd_create:
      return (low(1) & MFD_HUGETLB) != 0 ? EINVAL : 0;
    case SYS_shmget:
      return (low(2) & SHM_HUGETLB) != 0 ? ENOMEM : 0;
    case SYS_setsockopt:
      return low(1) == SOL_SOCKET && is_one_of(low(2), {26, 50, 51, 52}) ? EPERM : 0;
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_clock_nanosleep:
    case SYS_timer_create:
      return is_one_of(low(0), {0xfffffff0, 0xfffffff1, 0xfffffff2, 0xfffffff3}) ? EINVAL : 0;
    default:
      return 0;
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
