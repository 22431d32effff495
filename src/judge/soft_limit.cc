#include "judge/soft_limit.h"

#include <fmt/format.h>

namespace assay::judge {

using verdict::Verdict;

std::string text_of(Factor factor) {
  return fmt::format("{:g}", static_cast<double>(factor.thousandths) / 1000);
}

bool apply_declared_limit(const TestRun& run, const verdict::Policy& policy, Factor soft,
                          TestResult& result) {
  if (!run.declared.cpu_time || result.verdict == Verdict::Skipped) return false;
  verdict::Judgement times = judge_times(run.facts, run.declared, policy);
  if (times.verdict == Verdict::Accepted || verdict::is_our_fault(result.verdict)) return false;
  const bool too_slow_anyway = verdict::is_slow(result.verdict);
  if (too_slow_anyway && soft.thousandths > Factor{}.thousandths)
    times.reason += fmt::format("; would fail at {}x, too", text_of(soft));
  if (!too_slow_anyway && soft.thousandths > Factor{}.thousandths) {
    times.reason += result.verdict == Verdict::Accepted
                        ? fmt::format("; would pass at {}x", text_of(soft))
                        : fmt::format("; would be {} at {}x", result.letters, text_of(soft));
    result.verdict_without_limit = result.verdict;
    result.letters_without_limit = result.letters;
  }
  result.verdict = times.verdict;
  result.letters = std::move(times.letters);
  result.message = std::move(times.reason);
  result.time = times.reported_time;
  result.share = result.score = 0;
  return true;
}

}  // namespace assay::judge
