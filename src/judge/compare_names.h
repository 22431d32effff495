// The names of the built-in comparisons: ours, testlib's, the ICPC default validator's flags and
// those of other judges. Data, so that a new name needs no code.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "judge/compare.h"

namespace assay::judge {

enum class Arguments {
  None,
  Tolerance,  // "1e-6" for both, "abs=1e-6", "rel=1e-9"; and the ICPC flags for them
  IcpcFlags,  // case_sensitive, space_change_sensitive, float_[absolute_|relative_]tolerance e
};

struct NamedComparison {
  std::string_view name{};
  Comparison comparison{};
  Arguments arguments = Arguments::None;
  std::string_view about{};  // one line for `assay checkers` and the documents
};

std::span<const NamedComparison> comparisons();

// `name` may carry its arguments after blanks: "floats 1e-9", "float_tolerance 1e-6". A name that
// is an ICPC flag is the ICPC validator with that flag.
Result<Comparison> comparison_named(std::string_view name,
                                    std::span<const std::string> arguments = {});

}  // namespace assay::judge
