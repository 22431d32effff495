#include <stdio.h>

#include "gcd.h"

int main(void) {
  long a = 0;
  long b = 0;
  if (scanf("%ld %ld", &a, &b) != 2) return 1;
  printf("%ld\n", gcd(a, b));
  return 0;
}
