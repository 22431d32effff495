// How complicated a TOML text is, before toml++ makes a tree of it: it takes a dotted key as deep
// as it is, and whatever walks or destroys that tree recurses. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::sandbox {

struct TomlTrouble {
  unsigned line = 0;
  unsigned column = 0;
  std::string why{};
};

// Nothing: it may be parsed, which still says whether it is TOML at all.
std::optional<TomlTrouble> trouble_with_shape(std::string_view toml);

}  // namespace assay::sandbox
