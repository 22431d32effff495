// Tries to starve init, and every process it can name, of descriptors, processes and CPU time; then itself.
#include "attempt.h"
#include <sys/resource.h>
static void starve(const char* who, pid_t pid) {
  char name[64];
  int resources[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_CPU};
  for (int i = 0; i < 5; ++i) {
    // Of no CPU time at all the next tick would be its own end.
    rlim_t most = resources[i] == RLIMIT_CPU && pid == 0;
    snprintf(name, sizeof name, "%s %d", who, resources[i]);
    ATTEMPT(name, prlimit(pid, resources[i], &(struct rlimit){most, most}, 0));
  }
}
int main() {
  starve("init", 1);
  starve("parent", getppid());
  for (pid_t pid = 2; pid < 300; ++pid)
    if (pid != getpid() && prlimit(pid, RLIMIT_NOFILE, &(struct rlimit){0, 0}, 0) == 0) dprintf(1, "lowered %d\n", pid);
  setpriority(PRIO_PROCESS, 0, 19);
  starve("self", 0);
}
