#include <stdio.h>
#include <time.h>
/* Slow on purpose, but for the smallest sums: 0.7 s of CPU time. */
int main(void) {
  long n, sum = 0;
  if (scanf("%ld", &n) != 1) return 1;
  for (long i = 1; i <= n; ++i) sum += i;
  while (n > 1000 && clock() < CLOCKS_PER_SEC * 7 / 10) continue;
  printf("%ld\n", sum);
}
