// fill_disk DIRECTORY: a file of 1 MiB after the other until there is no room; then what else should be refused.
#include "attempt.h"
#include <fcntl.h>
#include <sys/stat.h>
int main(int argc, char** argv) {
  static char block[1 << 20];
  char name[64];
  long files = 0;
  chdir(argv[1]);
  for (int more = 1; more; files += more) {
    snprintf(name, sizeof name, "%ld", files);
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    more = file >= 0 && write(file, block, sizeof block) == sizeof block;
    if (!more) dprintf(1, "full: %s\n", strerrorname_np(errno));
    close(file);
  }
  dprintf(1, "%ld MiB\n", files);
  int file = open("0", O_RDWR);
  ATTEMPT("fallocate", fallocate(file, 0, 0, 1LL << 40));
  ATTEMPT("read-only place", open("/new", O_CREAT | O_WRONLY, 0644));
  ATTEMPT("host's place", open("/usr/new", O_CREAT | O_WRONLY, 0644));
}
