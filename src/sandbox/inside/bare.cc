// Isolation "none": no namespace ends what the program started, so init does it by hand, as well as
// that can be done.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

// The children of this very process, from /proc: init is the subreaper, so every orphan becomes
// one.
unsigned signal_children() noexcept {
  const long fd =
      call(__NR_openat, AT_FDCWD, address("/proc/thread-self/children"), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[4096];
  const long got = call(__NR_read, fd, address(text), sizeof text);
  close_fd(static_cast<int>(fd));
  unsigned count = 0;
  long pid = 0;
  for (long i = 0; i < got; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      pid = pid * 10 + (text[i] - '0');
    } else if (pid != 0) {
      call(__NR_kill, pid, SIGKILL);
      pid = 0;
      ++count;
    }
  }
  return count;
}

}  // namespace

void end_descendants() noexcept {
  int status = 0;
  while (signal_children() > 0) {
    long reaped = 0;
    do {
      reaped = call(__NR_wait4, -1, address(&status), __WALL, 0);
    } while (reaped == -EINTR);
  }
}

}  // namespace assay::sandbox::inside
