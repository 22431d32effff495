// One line to each stream, then an end that is not 0.
#include <unistd.h>
int main() {
  (void)!write(1, "out\n", 4);
  (void)!write(2, "err\n", 4);
  return 3;
}
