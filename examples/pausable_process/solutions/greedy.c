#include <stdio.h>
#include <stdlib.h>
static long before[20001];
int main(void) {
  int n, first, last;
  scanf("%d", &n);
  for (int i = 0; i < n; ++i) {
    int x;
    scanf("%d", &x);
    before[i + 1] = before[i] + x;
  }
  char* kept = malloc(100 << 20);
  for (long i = 0; i < 100 << 20; i += 4096) kept[i] = 1;
  puts("ready");
  fflush(stdout);
  while (scanf("%d %d", &first, &last) == 2) {
    printf("%ld\n", before[last] - before[first]);
    fflush(stdout);
  }
}
