// swap_links MILLISECONDS TARGET: two threads swap a file and a directory with links to TARGET and to where that is, until the time is
// over or the run is cut off: nobody knows which is in place then.
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void* swap(void* name) {
  char other[16];
  snprintf(other, sizeof other, "%s_link", (char*)name);
  for (;;) renameat2(AT_FDCWD, name, AT_FDCWD, other, RENAME_EXCHANGE);
}
static void write_file(const char* name) {
  int file = open(name, O_CREAT | O_WRONLY, 0644);
  (void)!write(file, "mine", 4);
  close(file);
}
int main(int argc, char** argv) {
  char inner[256];
  write_file("out");
  symlink(argv[2], "out_link");
  mkdir("d", 0755);
  snprintf(inner, sizeof inner, "d/%s", basename(strdup(argv[2])));
  write_file(inner);
  symlink(dirname(strdup(argv[2])), "d_link");
  pthread_t threads[2];
  pthread_create(threads, 0, swap, "out");
  pthread_create(threads + 1, 0, swap, "d");
  usleep(atol(argv[1]) * 1000);
}
