// Tries to get at the files behind the running processes: its own, init's, everybody's.
#include "attempt.h"
#include <fcntl.h>
int main() {
  char path[64], name[96];
  ATTEMPT("self write", open("/proc/self/exe", O_WRONLY));
  ATTEMPT("self read-write", open("/proc/self/exe", O_RDWR));
  int handle = open("/proc/self/exe", O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
  ATTEMPT("self by handle", open(path, O_WRONLY));
  for (int pid = 1; pid < 300; ++pid) {
    if (pid == getpid()) continue;
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    for (int flags = 0; flags < 3; ++flags) {
      int fd = open(path, flags);
      if (fd >= 0) dprintf(1, "opened %s with %d\n", path, flags);
    }
  }
}
