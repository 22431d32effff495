// Leaves by "..", from every directory it has: where that ends, and what is there.
#include <fcntl.h>
#include "attempt.h"
#include <dirent.h>
#include <sys/stat.h>
static int by_name(const struct dirent** a, const struct dirent** b) { return strcmp((*a)->d_name, (*b)->d_name); }
int main() {
  char path[4096];
  for (int i = 0; i < 64; ++i) (void)!chdir("..");
  dprintf(1, "cwd %s\n", getcwd(path, sizeof path) ? path : "unreachable");
  struct dirent** names;
  int count = scandir(".", &names, 0, by_name);
  for (int i = 0; i < count; ++i)
    if (names[i]->d_name[0] != '.') dprintf(1, "%s ", names[i]->d_name);
  dprintf(1, "\n");
  for (int fd = 0; fd < 3; ++fd) ATTEMPT("directory behind a stream", openat(fd, "..", 0));
  ATTEMPT("chroot", chroot("."));
  ATTEMPT("fchdir to fd 3", fchdir(3));
  ATTEMPT("init's root", open("/proc/1/root/etc", 0));
  ATTEMPT("init's cwd", chdir("/proc/1/cwd"));
}
