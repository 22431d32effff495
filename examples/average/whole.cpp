// Divides whole numbers.
#include <cstdio>

int main() {
  int n;
  std::scanf("%d", &n);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int x;
    std::scanf("%d", &x);
    sum += x;
  }
  std::printf("%d\n", sum / n);
}
