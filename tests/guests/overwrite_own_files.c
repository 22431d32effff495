// Changes what it was given: its binary, its input file, its standard input.
#include "attempt.h"
#include <fcntl.h>
#include <sys/stat.h>
int main() {
  ATTEMPT("binary", open("guest", O_WRONLY));
  ATTEMPT("remove binary", unlink("guest"));
  int fd = open("guest", O_CREAT | O_WRONLY | O_TRUNC, 0755);
  (void)!write(fd, "changed", 7);
  fd = ATTEMPT("input", open("input", O_RDWR | O_TRUNC));
  (void)!write(fd, "changed", 7);
  ATTEMPT("stdin", open("/proc/self/fd/0", O_RDWR));
  ATTEMPT("stdin truncated", ftruncate(0, 0));
  ATTEMPT("stdin mode", fchmod(0, 0777));
}
