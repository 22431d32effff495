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
    for (;;) fputs("0123456789", stdout);
    fflush(stdout);
  }
}
