// Each keeps the limit, and both together do not.
#include <stdio.h>
#include <time.h>

int main(void) {
  long long mine = 0, other = 0;
  if (scanf("%lld", &mine) != 1) return 1;
  while (clock() < CLOCKS_PER_SEC * 7 / 10) {
  }
  printf("tell %lld\n", mine);
  fflush(stdout);
  if (scanf("%lld", &other) != 1) return 1;
  printf("sum %lld\n", mine + other);
}
