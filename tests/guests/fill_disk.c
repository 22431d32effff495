// fill_disk DIRECTORY: a file of 1 MiB after the other until there is no room; then what else should be refused.
// Everything stays until its input ends.
#include "attempt.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
int main(int argc, char** argv) {
  static char block[1 << 20];
  char name[64];
  long files = 0;
  chdir(argv[1]);
  signal(SIGXFSZ, SIG_IGN);
  for (int more = 1; more; files += more) {
    snprintf(name, sizeof name, "%ld", files);
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    for (long left = sizeof block, wrote = 0; left > 0 && more; left -= wrote) {
      wrote = write(file, block, left);
      more = wrote > 0;
    }
    if (!more) dprintf(1, "full: %s\n", strerrorname_np(errno));
    close(file);
  }
  dprintf(1, "%ld MiB\n", files);
  int file = open("0", O_RDWR);
  ATTEMPT("fallocate", fallocate(file, 0, 0, 1LL << 40));
  ATTEMPT("read-only place", open("/new", O_CREAT | O_WRONLY, 0644));
  ATTEMPT("host's place", open("/usr/new", O_CREAT | O_WRONLY, 0644));
  (void)!read(0, name, sizeof name);
}
