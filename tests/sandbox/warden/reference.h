// What rules mean, without a compiler: the measure for what libseccomp and our own changes to its
// program make of them.
#pragma once

#include <algorithm>
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
