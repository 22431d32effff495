// signal_everyone [PID]: signals to init, to the parent, to everybody, to PID; a flood of queued ones; itself last.
#include "attempt.h"
#include <signal.h>
int main(int argc, char** argv) {
  int numbers[] = {SIGSTOP, SIGKILL, SIGTERM, SIGUSR1};  // SIGCONT is free within a session, and does nothing
  for (int i = 0; i < 4; ++i) {
    ATTEMPT("init", kill(1, numbers[i]));
    ATTEMPT("parent", kill(getppid(), numbers[i]));
    ATTEMPT("everyone", kill(-1, numbers[i]));
    if (argc > 1) ATTEMPT("other", kill(atoi(argv[1]), numbers[i]));
  }
  union sigval value = {0};
  long sent = 0;
  for (int i = 0; i < 20000; ++i) sent += sigqueue(1, SIGRTMIN, value) == 0;
  dprintf(1, "queued %ld\n", sent);
  for (int pid = 2; pid < 300; ++pid)
    if (pid != getpid() && kill(pid, SIGKILL) == 0) dprintf(1, "killed %d\n", pid);
  kill(0, SIGKILL);
}
