// create_files_forever DIRECTORY: empty files until it is refused; how many, and why no more. They stay until its input ends.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  char name[4096];
  for (int count = 0;; ++count) {
    snprintf(name, sizeof name, "%s/%d", argv[1], count);
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    if (file < 0) {
      dprintf(1, "%d %s\n", count, strerrorname_np(errno));
      return read(0, name, sizeof name) != 0;
    }
    close(file);
  }
}
