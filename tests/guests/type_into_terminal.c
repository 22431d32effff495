// Types into the terminal on its streams. The upper half of the request is ignored by the kernel, so it must be by a filter.
#include "attempt.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
int main() {
  char letter = 'X', paste = 3;
  for (int fd = 0; fd < 3; ++fd) {
    ATTEMPT("type", syscall(SYS_ioctl, fd, TIOCSTI, &letter));
    ATTEMPT("type high", syscall(SYS_ioctl, fd, TIOCSTI | 1UL << 32, &letter));
    ATTEMPT("paste", syscall(SYS_ioctl, fd, 0x541CUL | 1UL << 63, &paste));
  }
  ATTEMPT("/dev/tty", open("/dev/tty", O_RDWR));
  ATTEMPT("/dev/ptmx", open("/dev/ptmx", O_RDWR));
  setsid();
  ATTEMPT("take over", ioctl(0, TIOCSCTTY, 1));
  ATTEMPT("type", syscall(SYS_ioctl, 0, TIOCSTI, &letter));
}
