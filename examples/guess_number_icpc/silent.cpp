// Its guess never leaves the buffer: both wait.
#include <cstdio>

int main() {
  long long n = 0;
  if (std::scanf("%lld", &n) != 1) return 1;
  std::printf("%lld\n", n);
  char answer = 0;
  if (std::scanf(" %c", &answer) != 1) return 1;
}
