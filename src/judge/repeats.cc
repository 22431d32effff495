#include "judge/repeats.h"

#include <algorithm>

#include "base/check.h"
#include "judge/language_limits.h"

namespace assay::judge {
namespace {

bool is_too_slow(const Attempt& attempt) {
  return verdict::is_slow(attempt.result.verdict);
}

Nanoseconds time_of(const Attempt& attempt) {
  return attempt.result.facts ? attempt.result.facts->cpu_total : Nanoseconds{};
}

std::size_t chosen(const Repeats& repeats, const std::vector<Attempt>& attempts) {
  const bool fastest = repeats.counts == Repeats::Counts::Fastest;
  const auto decides = [fastest](const Attempt& attempt) {
    return is_too_slow(attempt) != fastest;
  };
  auto found = std::ranges::find_if(attempts, decides);
  if (found == attempts.end())
    found = fastest ? std::ranges::min_element(attempts, {}, time_of)
                    : std::ranges::max_element(attempts, {}, time_of);
  return static_cast<std::size_t>(found - attempts.begin());
}

}  // namespace

Factor allowance_of(const Repeats& repeats) {
  const bool beyond = repeats.most > 0 && repeats.counts == Repeats::Counts::Fastest;
  return beyond ? Factor{Factor{}.thousandths + repeats.margin.thousandths} : Factor{};
}

bool is_near(const sandbox::Facts& facts, Nanoseconds used, Nanoseconds limit, Factor margin) {
  if (facts.cut_off_by != sandbox::CutOff::None) return false;
  const Nanoseconds distance = used > limit ? used - limit : limit - used;
  return distance <= times(limit, margin);
}

bool wants_another(const Repeats& repeats, const std::vector<Attempt>& attempts) {
  if (attempts.empty()) return true;
  if (attempts.size() > repeats.most || !attempts.back().near) return false;
  const bool fastest = repeats.counts == Repeats::Counts::Fastest;
  const bool ours = verdict::is_our_fault(attempts.back().result.verdict);
  return !ours && is_too_slow(attempts.back()) == fastest;
}

TestResult choose(const Repeats& repeats, std::vector<Attempt> attempts) {
  CHECK(!attempts.empty());
  std::vector<Nanoseconds> all;
  if (attempts.size() > 1)
    for (const Attempt& attempt : attempts)
      all.push_back(time_of(attempt));
  TestResult result = std::move(attempts[chosen(repeats, attempts)].result);
  result.run_times = std::move(all);
  return result;
}

}  // namespace assay::judge
