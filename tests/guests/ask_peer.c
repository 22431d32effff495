// ask_peer COUNT CODE: writes a line and reads one back, so often, then ends with CODE.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  char line[64];
  for (int i = 0; i < atoi(argv[1]); ++i) {
    printf("%d\n", i);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin) || atoi(line) != i) return 99;
  }
  return atoi(argv[2]);
}
