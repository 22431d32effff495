// What holds before main: printed by a constructor, which is the first code of a program that its author controls.
#include <sched.h>
#include "attempt.h"
#include <sys/ptrace.h>
#include <sys/resource.h>
__attribute__((constructor)) static void first(void) {
  char line[256];
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "Seccomp:", 8) || !strncmp(line, "NoNewPrivs", 10) || !strncmp(line, "CapEff", 6)) dprintf(1, "%s", line);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  dprintf(1, "files %ld uid %d\n", (long)files.rlim_max, getuid());
  ATTEMPT("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0));
  ATTEMPT("unshare", unshare(0x10000000));
}
int main() {}
