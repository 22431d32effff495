// The spelling of a policy file. Private to this room: parse_policy() also checks that the rules
// make sense.
#pragma once

#include <string_view>

#include "verdict/policy.h"

namespace assay::verdict {

// Errors say line and column.
Result<Policy> read_policy(std::string_view toml_text);

}  // namespace assay::verdict
