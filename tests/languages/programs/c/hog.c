#include <stdlib.h>
#include <string.h>
int main(void) {
  for (volatile char* p;;) {
    p = malloc(1 << 20);
    if (p == NULL) return 1;
    memset((void*)p, 1, 1 << 20);
  }
}
