// The parent of a vfork waits without a way to wake it: to the kernel, as one that waits for a disk.
#include <unistd.h>

int main(void) {
  if (vfork() == 0)
    for (;;) pause();
  return 0;
}
