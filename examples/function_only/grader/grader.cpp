#include "gap.h"

#include <cstdio>

int main() {
  int count = 0;
  if (std::scanf("%d", &count) != 1) return 1;
  std::vector<int> numbers(count);
  for (int& number : numbers)
    if (std::scanf("%d", &number) != 1) return 1;
  std::printf("%lld\n", largest_gap(numbers));
}
