// One line per resource limit: number, soft, hard; then niceness, umask and what a fork of it would inherit of signals.
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
int main() {
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    printf("%d %lld %lld\n", resource, (long long)limit.rlim_cur, (long long)limit.rlim_max);
  }
  printf("nice %d\numask %o\n", getpriority(PRIO_PROCESS, 0), umask(0));
  for (int number = 1; number < 65; ++number) {
    struct sigaction action;
    if (sigaction(number, 0, &action) == 0 && action.sa_handler != SIG_DFL) printf("signal %d is not default\n", number);
  }
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, 0, &blocked);
  for (int number = 1; number < 65; ++number)
    if (sigismember(&blocked, number) == 1) printf("signal %d is blocked\n", number);
}
