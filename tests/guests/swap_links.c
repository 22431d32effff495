// swap_links MILLISECONDS TARGET: "out" is a file, a link to TARGET, a directory link, in turn, until the time is over.
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char** argv) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long end = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + atoll(argv[1]);
  symlink(argv[2], "link");
  close(open("file", O_CREAT | O_WRONLY, 0644));
  for (;;) {
    link("file", "swap");
    rename("swap", "out");
    symlink(argv[2], "swap");
    rename("swap", "out");
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec * 1000LL + now.tv_nsec / 1000000 > end) return 0;
  }
}
