// print_forever FD...: to all of them in turn, 64 KiB at a time, without a newline.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  static char block[65536];
  memset(block, 'x', sizeof block);
  for (;;)
    for (int i = 1; i < argc; ++i) (void)!write(atoi(argv[i]), block, sizeof block);
}
