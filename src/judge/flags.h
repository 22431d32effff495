// Which extra flags of a submission reach the compiler. What is not allowed is refused.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::judge {

// Patterns are whole flags, or beginnings that end with '*'.
struct FlagRules {
  std::vector<std::string> allow{};
  std::vector<std::string> deny{};  // whatever is allowed or granted
  bool drop_unknown = false;        // instead of refusing the whole submission
  bool operator==(const FlagRules&) const = default;
};

bool is_among(std::string_view flag, std::span<const std::string> patterns);

// A flag that names files, plug-ins or other programs (-o, @file, -B, -specs, -fplugin, -wrapper,
// -include, -I, -L, -Wl,, -Xlinker and their other spellings): a language's list cannot allow it,
// only a problem's grant.
bool needs_grant(std::string_view flag);

// The flags that may be used, in their order; an InvalidRequest names the first that may not.
// `granted` are patterns of the problem.
Result<std::vector<std::string>> filter_flags(const FlagRules& rules,
                                              std::span<const std::string> wanted,
                                              std::span<const std::string> granted = {});

}  // namespace assay::judge
