// count_up N: so much work, however long it takes.
#include <stdlib.h>
int main(int argc, char** argv) {
  for (volatile long n = atol(argv[1]); n > 0; --n) {
  }
}
