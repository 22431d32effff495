// Process 0 takes more memory than it may have; process 1 waits for it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc > 1 && atoi(argv[1]) == 0)
    for (;;) {
      char* more = malloc(1 << 20);
      if (more == NULL) abort();
      memset(more, 1, 1 << 20);
    }
  while (getchar() != EOF) {
  }
  return 0;
}
