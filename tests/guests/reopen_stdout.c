// Opens its own streams anew, to write past what was counted or to read what is not its own.
#include <sys/stat.h>
#include "attempt.h"
#include <fcntl.h>
int main() {
  ATTEMPT("truncate", ftruncate(1, 0));
  ATTEMPT("append", open("/proc/self/fd/1", O_WRONLY | O_APPEND));
  ATTEMPT("empty", open("/proc/self/fd/1", O_WRONLY | O_TRUNC));
  ATTEMPT("read", open("/proc/self/fd/1", O_RDONLY));
  ATTEMPT("input", open("/proc/self/fd/0", O_RDWR));
  ATTEMPT("input by name", truncate("/proc/self/fd/0", 0));
  ATTEMPT("chmod input", fchmod(0, 0777));
  ATTEMPT("chown input", fchown(0, 1000, 1000));
  ATTEMPT("link input", linkat(AT_FDCWD, "/proc/self/fd/0", AT_FDCWD, "/tmp/input", AT_SYMLINK_FOLLOW));
  ATTEMPT("write input", write(0, "x", 1));
}
