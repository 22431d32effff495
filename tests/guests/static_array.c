// 256 MiB of .bss, all of it touched.
#include <stdio.h>
#include <string.h>
static char array[256 << 20];
int main() {
  memset(array, 1, sizeof array);
  puts("touched");
}
