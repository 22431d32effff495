// How far a run of a submission may go: what the request, the problem, the policy and the profile
// say, in this order, times what the language needs; and how much longer than its limit it may run
// so that more can be said about it. Pure.
#pragma once

#include <map>
#include <string>

#include "judge/language_limits.h"
#include "verdict/policy.h"

namespace assay::judge {

// The default limits of each profile, by its name.
using ProfileLimits = std::map<std::string, sandbox::Limits, std::less<>>;

struct Allowance {
  Factor time{};  // so many times the limit before it is stopped
  // A sanitizer makes a program several times as slow and as large, which says nothing about the
  // program itself: no time decides, memory has room for the shadow, and an address space of
  // terabytes is allowed.
  bool sanitized = false;
};

struct TestLimits {
  RunLimits run{};             // enforced
  sandbox::Limits declared{};  // the times that decide; none: the enforced ones do
};

// What a policy says where neither request nor problem does. Memory: the limit, if there is one.
sandbox::Limits limits_of_policy(const verdict::Policy& policy, const std::optional<Bytes>& memory);

TestLimits limits_of_test(const Language& language, const verdict::Policy& policy,
                          const LimitSources& sources, const Allowance& allowance);

// A checker's limits are its own: no multiplier of any language, and where it says none the
// policy's; else 5 s or 5 times the problem's time limit, whichever is more. `sources.problem` are
// the problem's, and `sources.request` the checker's own.
RunLimits limits_of_checker(const Language& language, const verdict::Policy& policy,
                            LimitSources sources);

}  // namespace assay::judge
