#include <stdio.h>
static long before[20001];
int main(void) {
  int n, first, last;
  scanf("%d", &n);
  for (int i = 0; i < n; ++i) {
    int x;
    scanf("%d", &x);
    before[i + 1] = before[i] + x;
  }
  puts("ready");
  fflush(stdout);
  while (scanf("%d %d", &first, &last) == 2) {
    volatile long waste = 0;
    for (long i = 0; i < 3000000; ++i) waste += i;
    printf("%ld\n", before[last] - before[first]);
    fflush(stdout);
  }
}
