// New and other namespaces by every call, with what one would do in them.
#include "attempt.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
int main() {
  unsigned long flags[] = {0x00000080, 0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000};
  for (int i = 0; i < 8; ++i) {
    ATTEMPT("unshare", unshare(flags[i]));
    if (i > 0) {
      long child = syscall(SYS_clone, flags[i] | SIGCHLD, 0, 0, 0, 0);
      if (child == 0) _exit(0);
      attempt("clone", child);
      child = syscall(SYS_clone, flags[i] | 0x10000000 | SIGCHLD, 0, 0, 0, 0);
      if (child == 0) _exit(0);
      attempt("clone user", child);
    }
    unsigned long args[11] = {flags[i], 0, 0, 0, SIGCHLD};
    long child = syscall(SYS_clone3, args, sizeof args);
    if (child == 0) _exit(0);
    attempt("clone3", child);
  }
  const char* names[] = {"user", "mnt", "net", "pid", "ipc", "uts", "cgroup", "time"};
  char path[64];
  for (int i = 0; i < 8; ++i) {
    snprintf(path, sizeof path, "/proc/self/ns/%s", names[i]);
    ATTEMPT("setns", setns(open(path, O_RDONLY), 0));
  }
  ATTEMPT("mount", mount("tmpfs", "/tmp", "tmpfs", 0, 0));
  ATTEMPT("remount", mount(0, "/usr", 0, MS_REMOUNT | MS_BIND, 0));
  ATTEMPT("umount", umount2("/proc", MNT_DETACH));
  ATTEMPT("pivot_root", syscall(SYS_pivot_root, "/", "/"));
  ATTEMPT("fsopen", syscall(430, "tmpfs", 0));
  ATTEMPT("open_tree", syscall(428, AT_FDCWD, "/", 1));
  ATTEMPT("move_mount", syscall(429, AT_FDCWD, "/usr", AT_FDCWD, "/tmp", 0));
  ATTEMPT("mount_setattr", syscall(442, AT_FDCWD, "/", 0, &path, 32));
  ATTEMPT("sethostname", sethostname("mine", 4));
}
