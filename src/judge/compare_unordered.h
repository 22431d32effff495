// The same lines or tokens in any order. Private to the comparisons.
#pragma once

#include "judge/compare.h"

namespace assay::judge {

// Memory is the same for any number of items: two collections are the same if the sums of their
// items' hashes are, under a key that the output cannot know.
Result<CheckResult> compare_unordered(const Side& output, const Side& answer,
                                      const Comparison& comparison);

}  // namespace assay::judge
