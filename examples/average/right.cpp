#include <cstdio>

int main() {
  int n;
  std::scanf("%d", &n);
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    double x;
    std::scanf("%lf", &x);
    sum += x;
  }
  std::printf("%.7f\n", sum / n);
}
