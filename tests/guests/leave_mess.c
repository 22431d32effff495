// leave_mess TARGET: what makes clean-up hard: links of both kinds to TARGET, odd names, a socket, deep trees, locked directories.
#include "attempt.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
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
    struct sockaddr_un address = {AF_UNIX, "socket"};
    ATTEMPT("socket", bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address));
    int depth = 0;
    while (depth < (i == 2 ? 500 : 10000) && mkdir("d", 0700) == 0 && chdir("d") == 0) ++depth;
    dprintf(1, "depth of %s: %d\n", places[i], depth);
    chmod(".", 0);
    chmod(places[i], 0);
  }
  dprintf(1, "left\n");
}
