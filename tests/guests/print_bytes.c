// print_bytes COUNT [FD]
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static char block[4096];
  memset(block, 'x', sizeof block);
  long left = atol(argv[1]);
  while (left > 0) {
    long wrote = write(argc > 2 ? atoi(argv[2]) : 1, block, left < 4096 ? left : 4096);
    if (wrote < 0) return 1;
    left -= wrote;
  }
}
