// outlive KIND MARK: leaves a process that wants to go on after the program's end, which comes at once.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int ready[2];
static void stay(void) {
  (void)!write(ready[1], "", 1);
  for (;;) {
    close(open("/tmp/alive", O_CREAT | O_WRONLY | O_TRUNC, 0644));
    usleep(1000);
  }
}
int main(int argc, char** argv) {
  const char* kind = argv[1];
  char byte;
  (void)!pipe(ready);
  if (!strcmp(kind, "double_fork")) {
    if (!fork()) {
      setsid();
      if (!fork()) stay();
      _exit(0);
    }
  } else if (!strcmp(kind, "deaf")) {
    if (!fork()) {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_BLOCK, &all, 0);
      stay();
    }
  } else if (!strcmp(kind, "stopped")) {
    if (!fork()) {
      (void)!write(ready[1], "", 1);
      raise(SIGSTOP);
    }
  } else if (!strcmp(kind, "vfork")) {
    if (!fork()) {
      (void)!write(ready[1], "", 1);
      if (!vfork())
        for (;;) pause();
    }
  } else if (!strcmp(kind, "group")) {
    for (int i = 0; i < 20; ++i)
      if (!fork()) {
        setpgid(0, 0);
        stay();
      }
  } else if (!strcmp(kind, "forking")) {  // always a newer one, so that a look around comes too late
    if (!fork()) {
      (void)!write(ready[1], "", 1);
      for (;;)
        if (fork()) _exit(0);
    }
  }
  (void)!read(ready[0], &byte, 1);
  return 0;
}
