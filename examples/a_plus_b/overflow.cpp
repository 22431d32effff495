// Too small a type: wrong on the last test.
#include <cstdio>

int main() {
  long long a, b;
  std::scanf("%lld %lld", &a, &b);
  std::printf("%d\n", static_cast<int>(a + b));
}
