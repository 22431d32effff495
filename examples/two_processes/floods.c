// Process 0 talks without end; process 1 waits for it.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc > 1 && atoi(argv[1]) == 1) return getchar() == EOF;
  for (;;)
    puts("what is the sum?");
}
