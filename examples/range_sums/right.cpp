#include <cstdio>
#include <vector>

int main() {
  int n, q;
  std::scanf("%d %d", &n, &q);
  std::vector<long long> sums(n + 1);
  for (int i = 1; i <= n; ++i) {
    std::scanf("%lld", &sums[i]);
    sums[i] += sums[i - 1];
  }
  while (q-- > 0) {
    int l, r;
    std::scanf("%d %d", &l, &r);
    std::printf("%lld\n", sums[r] - sums[l - 1]);
  }
}
