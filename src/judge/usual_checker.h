// How outputs are checked where the problem does not say.
#pragma once

#include "judge/problem.h"
#include "verdict/policy.h"

namespace assay::judge {

// The problem's checker, with what nobody said filled in from the policy.
Result<Checker> checker_under(const Problem& problem, const verdict::Policy& policy);

}  // namespace assay::judge
