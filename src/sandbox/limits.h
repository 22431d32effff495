// Limits: whose are in force, and what of them the kernel is told.
#pragma once

#include <vector>

#include "sandbox/inside/plan.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

// The limits in force: the spec's where it says something, else the profile's.
Limits merge_limits(const Limits& wanted, const Limits& defaults);

// Above our own hard limits nobody can be given anything.
Status check_grantable(const Limits& limits);

// Every resource limit is set, also to "none", so that nothing of the host's or of the last run's
// is inherited.
enum class Stack { Fixed, MayBeRaised };  // by the program, as far as it has memory
std::vector<inside::ResourceLimit> resource_limits(const Limits& limits, bool has_meters,
                                                   Stack stack = Stack::Fixed);

}  // namespace assay::sandbox
