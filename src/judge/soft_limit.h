// A run may be allowed more time than its limit, and still be judged by the limit: whoever set it
// learns what the program would have got. The rule is rbx's (no_tle_outcome).
#pragma once

#include "judge/language.h"
#include "judge/test_run.h"

namespace assay::judge {

// A result that is not about time yet becomes so when the run broke the declared limit. With a soft
// factor its former verdict is kept beside it. Failures of ours stay what they are. Of several runs
// for one result: the first that broke it, after all that are to count. True: it has decided.
bool apply_declared_limit(const TestRun& run, const verdict::Policy& policy, Factor soft,
                          TestResult& result);

// "2" or "1.5"
std::string text_of(Factor factor);

}  // namespace assay::judge
