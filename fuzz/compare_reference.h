// The comparisons once more, as simply as they can be said: whole files in memory, split into lines
// and tokens. The fast ones must agree with this.
#pragma once

#include <string_view>

#include "judge/compare.h"

namespace assay::fuzz {

verdict::Verdict expected_verdict(std::string_view output, std::string_view answer,
                                  const judge::Comparison& comparison);

}  // namespace assay::fuzz
