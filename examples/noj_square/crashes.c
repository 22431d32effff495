#include <stdio.h>
int main(void) {
  long n;
  if (scanf("%ld", &n) != 1) return 1;
  return *(volatile int *)0;
}
