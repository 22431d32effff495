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
  while (scanf("%d %d", &first, &last) == 2) {
  }
  return 0;
  fflush(stdout);
  while (scanf("%d %d", &first, &last) == 2) {
    printf("%ld\n", before[last] - before[first]);
    fflush(stdout);
  }
}
