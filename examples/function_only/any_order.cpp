#include "gap.h"

#include <algorithm>

// Forgets that the larger number must come later.
long long largest_gap(const std::vector<int>& numbers) {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  return static_cast<long long>(*most) - *least;
}
