// answer_peer [COUNT]: gives every line back, until so many or the end of input.
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  char line[64];
  for (int left = argc > 1 ? atoi(argv[1]) : 1 << 30; left > 0 && fgets(line, sizeof line, stdin); --left) {
    fputs(line, stdout);
    fflush(stdout);
  }
  return 0;
}
