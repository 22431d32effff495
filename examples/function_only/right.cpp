#include "gap.h"

#include <algorithm>

long long largest_gap(const std::vector<int>& numbers) {
  long long best = numbers[1] - static_cast<long long>(numbers[0]);
  long long least = numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    best = std::max(best, numbers[i] - least);
    least = std::min<long long>(least, numbers[i]);
  }
  return best;
}
