#include "judge/compare.h"

#include "judge/compare_place.h"
#include "judge/compare_unordered.h"
#include "judge/compare_walk.h"

namespace assay::judge {

using verdict::Verdict;

Result<CheckResult> compare(const Side& output, const Side& answer, const Comparison& comparison) {
  if (comparison.order != Order::Given) return compare_unordered(output, answer, comparison);
  const auto difference = TRY(first_difference(output, answer, comparison));
  if (!difference) return CheckResult{.verdict = Verdict::Accepted};
  CheckResult result = TRY(describe(output, answer, comparison, *difference));
  if (!comparison.presentation || result.verdict != Verdict::WrongAnswer) return result;
  Comparison tokens = comparison;
  tokens.gaps = Gaps::Any;
  if (!TRY(first_difference(output, answer, tokens))) result.verdict = Verdict::PresentationError;
  return result;
}

}  // namespace assay::judge
