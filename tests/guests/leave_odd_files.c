// Everything that a file asked for may turn out to be.
#include "attempt.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
int main(int argc, char** argv) {
  const char* target = argc > 1 ? argv[1] : "/etc/passwd";
  int good = open("good", O_CREAT | O_WRONLY, 0644);
  (void)!write(good, "good", 4);
  ATTEMPT("locked", close(creat("locked", 0)));
  ATTEMPT("fifo", mkfifo("fifo", 0666));
  ATTEMPT("link", symlink(target, "link"));
  ATTEMPT("good_link", symlink("good", "good_link"));
  ATTEMPT("loop", symlink("loop", "loop"));
  ATTEMPT("root", symlink("/", "root"));
  ATTEMPT("up", symlink("..", "up"));
  ATTEMPT("magic", symlink("/proc/self/root", "magic"));
  ATTEMPT("directory", mkdir("directory", 0755));
  ATTEMPT("directory_link", symlink("directory", "directory_link"));
  close(open("directory/inner", O_CREAT | O_WRONLY, 0644));
  ATTEMPT("hard", link("good", "hard"));
  ATTEMPT("hard_outside", link(target, "hard_outside"));
  ATTEMPT("device", mknod("device", S_IFCHR | 0666, 0x103));
  struct sockaddr_un name = {AF_UNIX, "socket"};
  ATTEMPT("socket", bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&name, sizeof name));
  int allocated = open("allocated", O_CREAT | O_WRONLY, 0644);
  ATTEMPT("allocated", fallocate(allocated, 0, 0, 32 << 20));
  ATTEMPT("terabyte", fallocate(allocated, 0, 0, 1LL << 40));
  ATTEMPT("sparse", ftruncate(open("sparse", O_CREAT | O_WRONLY, 0644), 1LL << 40));
}
