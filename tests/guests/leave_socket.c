// A listening abstract socket that is kept alive by being in flight to itself.
#include "attempt.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int argc, char** argv) {
  struct sockaddr_un name = {AF_UNIX};
  strcpy(name.sun_path + 1, argv[1]);
  socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1]);
  int server = socket(AF_UNIX, SOCK_STREAM, 0), pair[2];
  ATTEMPT("bind", bind(server, (struct sockaddr*)&name, length));
  ATTEMPT("listen", listen(server, 5));
  ATTEMPT("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
  int fds[3] = {server, pair[0], pair[1]};
  char space[CMSG_SPACE(sizeof fds)] = {0}, byte = 0;
  struct iovec part = {&byte, 1};
  struct msghdr message = {0, 0, &part, 1, space, sizeof space};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  *header = (struct cmsghdr){CMSG_LEN(sizeof fds), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(header), fds, sizeof fds);
  ATTEMPT("sendmsg", sendmsg(pair[0], &message, 0));
  ATTEMPT("sendmsg", sendmsg(pair[1], &message, 0));
}
