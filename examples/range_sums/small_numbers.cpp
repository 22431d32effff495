// Sums that do not fit: "large" is lost, and nothing else.
#include <cstdio>
#include <vector>

int main() {
  int n, q;
  std::scanf("%d %d", &n, &q);
  std::vector<int> sums(n + 1);
  for (int i = 1; i <= n; ++i) {
    std::scanf("%d", &sums[i]);
    sums[i] += sums[i - 1];
  }
  while (q-- > 0) {
    int l, r;
    std::scanf("%d %d", &l, &r);
    std::printf("%d\n", sums[r] - sums[l - 1]);
  }
}
