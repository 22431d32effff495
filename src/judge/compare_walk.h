// Output and answer side by side, up to the first difference that counts. Private to the
// comparisons.
#pragma once

#include <cstdint>
#include <optional>

#include "judge/compare.h"
#include "judge/compare_window.h"

namespace assay::judge {

enum class Reason { Differs, NotANumber, NotFinite, NotAnInteger, NotYesNo, BadAnswer, TooLong };

// Offsets in the two files. Joined: what is before, in the same token or line, is the same on both
// sides. Otherwise something begins here, or a file ends.
struct Difference {
  std::uint64_t output = 0;
  std::uint64_t answer = 0;
  Reason reason = Reason::Differs;
  bool joined = false;
};

Result<std::optional<Difference>> first_difference(const Side& output, const Side& answer,
                                                   const Comparison& comparison);

}  // namespace assay::judge
