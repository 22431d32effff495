// A difference in words. Private to the comparisons.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "judge/compare.h"
#include "judge/compare_walk.h"

namespace assay::judge {

// Where in a file an offset is; all numbers count from 1. Found by reading the file again, because
// counting while comparing would cost every right answer what only wrong ones need.
struct Spot {
  std::uint64_t line = 1;
  std::uint64_t token = 0;  // how many began before the offset
  std::uint64_t line_start = 0;
  std::uint64_t token_start = 0;  // of the last one that did
};
Result<Spot> locate(const Side& side, std::uint64_t offset);

enum class Extent { Token, Line, LineAndEnd };

// What is at `offset`, in quotes, short and safe; or that there is nothing any more.
Result<std::string> shown(const Side& side, std::uint64_t offset, Extent extent,
                          std::string_view file);

Result<CheckResult> describe(const Side& output, const Side& answer, const Comparison& comparison,
                             const Difference& difference);

}  // namespace assay::judge
