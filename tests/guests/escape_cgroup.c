// escape_cgroup [MARK]: tries to leave its cgroup, then goes over its memory limit; with a mark it says so and waits instead.
#include <sched.h>
#include "attempt.h"
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
int main(int argc, char** argv) {
  char text[4096];
  ATTEMPT("cgroup2", open("/sys/fs/cgroup/cgroup.procs", O_WRONLY));
  ATTEMPT("memory", open("/sys/fs/cgroup/memory/tasks", O_WRONLY));
  ATTEMPT("mkdir", mkdir("/sys/fs/cgroup/new", 0755));
  ATTEMPT("mount cgroup2", mount("none", "/tmp", "cgroup2", 0, 0));
  ATTEMPT("mount cgroup", mount("none", "/tmp", "cgroup", 0, "memory"));
  ATTEMPT("unshare", unshare(0x02000000));
  ATTEMPT("agent", open("/sys/fs/cgroup/release_agent", O_WRONLY));
  ATTEMPT("memory agent", open("/sys/fs/cgroup/memory/release_agent", O_WRONLY));
  ATTEMPT("agent's notice", open("/sys/fs/cgroup/memory/notify_on_release", O_WRONLY));
  ATTEMPT("mount agent", mount("none", "/tmp", "cgroup", 0, "none,name=agent,release_agent=/w/guest"));
  int file = open("/proc/self/cgroup", O_RDONLY);
  long got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  text[got > 0 ? got : 0] = 0;
  for (char* line = strtok(text, "\n"); line; line = strtok(0, "\n")) dprintf(1, "cgroup %s\n", line);
  if (argc > 1) (void)!write(2, "tried", 5);
  while (argc > 1) pause();
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
