// Prints a line first, so that a test can wait for it.
#include <unistd.h>
int main() {
  (void)!write(1, "asleep\n", 7);
  for (;;) pause();
}
