// overwrite_runner [MILLISECONDS]: tries to get at the files behind the running processes: its own, init's, everybody's; for so long.
#include "attempt.h"
#include <fcntl.h>
#include <time.h>
static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}
static void open_all(const char* path) {
  for (int flags = 0; flags < 3; ++flags) {
    int fd = open(path, flags);
    if (fd >= 0) dprintf(1, "opened %s with %d\n", path, flags);
    if (fd >= 0) close(fd);
  }
}
static void reopen(int pid) {
  char path[64], name[96];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  open_all(path);
  int handle = open(path, O_PATH), link = open(path, O_PATH | O_NOFOLLOW);
  if (handle >= 0) dprintf(1, "opened %s as a handle\n", path);
  for (int i = 0; i < 2; ++i) {
    snprintf(name, sizeof name, "/proc/self/fd/%d", i ? handle : link);
    if ((i ? handle : link) >= 0) open_all(name);
  }
  close(handle), close(link);
}
int main(int argc, char** argv) {
  char path[64];
  ATTEMPT("self write", open("/proc/self/exe", O_WRONLY));
  ATTEMPT("self read-write", open("/proc/self/exe", O_RDWR));
  int handle = open("/proc/self/exe", O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", handle);
  ATTEMPT("self by handle", open(path, O_WRONLY));
  long long end = now() + (argc > 1 ? atoll(argv[1]) : 0);
  do
    for (int pid = 1; pid < 300; ++pid)
      if (pid != getpid()) reopen(pid);
  while (now() < end);
}
