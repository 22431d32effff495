// One line of the compile cache's index, as bytes: what a compilation said and which files of the
// store it made. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/judge_result.h"

namespace assay::judge {

struct KeptFile {
  std::string name{};
  bool executable = false;
  Bytes size{};
  std::string digest{};  // of its content
  std::string id{};      // in the store
  bool operator==(const KeptFile&) const = default;
};

struct CompileEntry {
  CompileResult result{};  // ok, always
  std::vector<KeptFile> files{};
};

std::string encode(const CompileEntry& entry);

// Nothing when it is not whole, not of this version, or not what was written.
std::optional<CompileEntry> decode_entry(std::string_view text);

}  // namespace assay::judge
