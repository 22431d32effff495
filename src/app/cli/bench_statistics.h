// In which order things are measured, and what is said about many measurements of one quantity.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/units.h"

namespace assay::cli {

// How two sides take turns: bare, boxed, boxed, bare, … so that each is first as often.
enum class Side { Bare, Boxed };
constexpr Side side_at(std::size_t turn) {
  return ((turn ^ (turn >> 1)) & 1) == 0 ? Side::Bare : Side::Boxed;
}

// The least value that `fraction` of all values do not exceed. Of nothing: zero.
template <typename T>
T percentile(std::vector<T> values, double fraction) {
  if (values.empty()) return T{};
  const double rank = std::ceil(fraction * static_cast<double>(values.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(index, values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

template <typename T>
T median(std::vector<T> values) {
  return percentile(std::move(values), 0.5);
}

inline double microseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e3;
}
inline double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}
inline double ratio(Nanoseconds value, Nanoseconds of) {
  return static_cast<double>(value.count()) / static_cast<double>(of.count());
}

}  // namespace assay::cli
