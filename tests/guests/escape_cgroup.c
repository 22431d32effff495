// Tries to leave its cgroup, then goes over its memory limit.
#include <sched.h>
#include "attempt.h"
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
int main() {
  char text[4096];
  ATTEMPT("cgroup2", open("/sys/fs/cgroup/cgroup.procs", O_WRONLY));
  ATTEMPT("memory", open("/sys/fs/cgroup/memory/tasks", O_WRONLY));
  ATTEMPT("mkdir", mkdir("/sys/fs/cgroup/new", 0755));
  ATTEMPT("mount cgroup2", mount("none", "/tmp", "cgroup2", 0, 0));
  ATTEMPT("mount cgroup", mount("none", "/tmp", "cgroup", 0, "memory"));
  ATTEMPT("unshare", unshare(0x02000000));
  int file = open("/proc/self/cgroup", O_RDONLY);
  long got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  text[got > 0 ? got : 0] = 0;
  for (char* line = strtok(text, "\n"); line; line = strtok(0, "\n")) dprintf(1, "cgroup %s\n", line);
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
