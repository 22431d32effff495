// pass_high_bits [CALL]: arguments that the kernel takes for forbidden ones once it has dropped their upper half, as it does with every
// int; all calls, one line each, or the one named, after a line that shows it got so far.
#include "attempt.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
static const char* wanted;
static int is_wanted(const char* name) { return !wanted || !strcmp(wanted, name); }
#define TRY(name, number, ...) (is_wanted(name) ? ATTEMPT(name, syscall(number, __VA_ARGS__)) : 0)
static void try_clone(unsigned long flags) {
  if (!is_wanted("clone")) return;
  long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  attempt("clone", child);
}
int main(int argc, char** argv) {
  wanted = argc > 1 ? argv[1] : 0;
  if (wanted) dprintf(1, "before\n");
  struct rlimit limit = {1, 1};
  struct sched_param urgent = {50};
  unsigned long spaces[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET};
  int file = open("/usr/bin/env", O_RDONLY);
  unsigned long highs[] = {1UL << 32, 1UL << 63, 0xffffffffUL << 32};
  for (int i = 0; i < 3; ++i) {
    unsigned long high = highs[i];
    for (int j = 0; j < 7; ++j) try_clone(spaces[j] | high);
    TRY("lease", SYS_fcntl, file, F_SETLEASE | high, F_RDLCK);
    TRY("notify", SYS_fcntl, file, F_NOTIFY | high, 0);
    TRY("prlimit of init", SYS_prlimit64, 1 | high, RLIMIT_NOFILE, &limit, 0);
    TRY("personality", SYS_personality, READ_IMPLIES_EXEC | high);
    TRY("tmpfile", SYS_open, "/tmp", O_TMPFILE | O_RDWR | high, 0600);
    TRY("tmpfile at", SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR | high, 0600);
    TRY("scheduler", SYS_sched_setscheduler, 0, SCHED_FIFO | high, &urgent);
    TRY("type", SYS_ioctl, 0, TIOCSTI | high, "x");
    TRY("socket", SYS_socket, 2 | high, 1, 0);
    TRY("dumpable", SYS_prctl, PR_SET_DUMPABLE | high, 1, 0, 0, 0);
    TRY("filter", SYS_prctl, PR_SET_SECCOMP | high, 1, 0, 0, 0);
  }
}
