// leave_mess TARGET: what makes clean-up hard: links of both kinds to TARGET, odd names, deep trees, locked directories.
#include "attempt.h"
#include <fcntl.h>
#include <sys/stat.h>
int main(int argc, char** argv) {
  const char* places[] = {"/w", "/tmp", "/dev/shm"};
  for (int i = 0; i < 3; ++i) {
    chdir(places[i]);
    symlink(argv[1], "link");
    symlink("/", "root");
    ATTEMPT("hard link", link(argv[1], "hard"));
    mkfifo("fifo", 0666);
    close(creat("new\nline", 0));
    close(creat(" -rf *", 0));
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    close(creat(name, 0));
    ATTEMPT("device", mknod("device", S_IFBLK | 0666, 0xfe00));
    for (int depth = 0; depth < (i == 2 ? 500 : 10000); ++depth)
      if (mkdir("d", 0700) < 0 || chdir("d") < 0) break;
    chmod(".", 0);
    chmod(places[i], 0);
  }
  dprintf(1, "left\n");
}
