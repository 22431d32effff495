// Tries to leave a sign on its own executable for the next run of it, and tells whether it finds one.
#include "attempt.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
int main(int argc, char** argv) {
  char name[64];
  struct stat before;
  int own = open("/proc/self/exe", O_RDONLY);
  dprintf(1, "called %s, ", argv[0]);
  dprintf(1, "beside it %s\n", access("guest", F_OK) == 0 ? "a file" : "nothing");
  fstat(own, &before);
  dprintf(1, "mode %o, attributes %ld, bytes 8..16 %s\n", before.st_mode & 07777, (long)flistxattr(own, name, sizeof name),
          pread(own, name, 8, 8) == 8 && memcmp(name, "\0\0\0\0\0\0\0\0", 8) == 0 ? "untouched" : "changed");
  ATTEMPT("open to write", open("/proc/self/exe", O_RDWR));
  ATTEMPT("mode", fchmod(own, 0777));
  ATTEMPT("times", futimens(own, NULL));
  ATTEMPT("attribute", fsetxattr(own, "user.sign", "x", 1, 0));
  ATTEMPT("truncate", truncate("/proc/self/exe", 8));
  return argc - 1;
}
