#include <stdio.h>
int main(void) {
  puts("? 5");
  return 0;
}
