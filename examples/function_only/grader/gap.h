#include <vector>

// The largest difference of two numbers, the later one minus the earlier one.
long long largest_gap(const std::vector<int>& numbers);
