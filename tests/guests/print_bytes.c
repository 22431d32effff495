// print_bytes COUNT [FD [AT_A_TIME]]
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static char block[4096];
  memset(block, 'x', sizeof block);
  long left = atol(argv[1]), most = argc > 3 ? atol(argv[3]) : 4096;
  while (left > 0) {
    long wrote = write(argc > 2 ? atoi(argv[2]) : 1, block, left < most ? left : most);
    if (wrote < 0) return 1;
    left -= wrote;
  }
}
