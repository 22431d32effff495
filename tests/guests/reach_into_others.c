// reach_into_others [PID]: every way into another process, for every one it can name and for PID; only what succeeds is told.
#include "attempt.h"
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
static void reach(int pid) {
  char byte, path[64];
  struct iovec here = {&byte, 1}, there = {(void*)0x400000, 1};
  const char* files[] = {"mem", "environ", "maps", "cwd/.", "root/.", "fd/0", "exe"};
  if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) dprintf(1, "seized %d\n", pid);
  if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) dprintf(1, "attached %d\n", pid);
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) dprintf(1, "read %d\n", pid);
  if (process_vm_writev(pid, &here, 1, &there, 1, 0) > 0) dprintf(1, "wrote %d\n", pid);
  int handle = syscall(SYS_pidfd_open, pid, 0);
  if (handle >= 0 && syscall(438, handle, 0, 0) >= 0) dprintf(1, "took a descriptor of %d\n", pid);
  if (handle >= 0) close(handle);
  for (int i = 0; i < 7; ++i) {
    snprintf(path, sizeof path, "/proc/%d/%s", pid, files[i]);
    if (open(path, O_RDONLY) >= 0) dprintf(1, "opened %s\n", path);
  }
}
int main(int argc, char** argv) {
  for (int pid = 1; pid < 1000; ++pid)
    if (pid != getpid()) reach(pid);
  if (argc > 1) reach(atoi(argv[1]));
  ATTEMPT("ptrace init", ptrace(PTRACE_SEIZE, 1, 0, 0));
  ATTEMPT("ptrace me", ptrace(PTRACE_TRACEME, 0, 0, 0));
}
