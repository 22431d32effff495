// connect_out ABSTRACT PATH [PORT PORT6]: every family, then sockets of the host by port, by abstract name and by path.
#include "attempt.h"
#include <arpa/inet.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
static void go(const char* name, const char* address, int port) {
  struct sockaddr_in to = {AF_INET, htons(port)};
  inet_pton(AF_INET, address, &to.sin_addr);
  int fd = ATTEMPT(name, socket(AF_INET, SOCK_STREAM, 0));
  if (fd >= 0) ATTEMPT(name, connect(fd, (struct sockaddr*)&to, sizeof to));
}
static void go6(const char* name, int port) {
  struct sockaddr_in6 to = {AF_INET6, htons(port), 0, IN6ADDR_LOOPBACK_INIT};
  int fd = ATTEMPT(name, socket(AF_INET6, SOCK_STREAM, 0));
  if (fd >= 0) ATTEMPT(name, connect(fd, (struct sockaddr*)&to, sizeof to));
}
int main(int argc, char** argv) {
  char name[32];
  for (int family = 0; family < 50; ++family)
    for (int type = 1; type < 6; ++type) {
      int fd = socket(family, type, 0);
      if (fd >= 0 && family != AF_UNIX) dprintf(1, "socket %d %d\n", family, type);
      if (fd >= 0) close(fd);
    }
  go("host", "127.0.0.1", argc > 3 ? atoi(argv[3]) : 80);
  go("metadata", "169.254.169.254", 80);
  go6("inet6", argc > 4 ? atoi(argv[4]) : 80);
  ATTEMPT("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  ATTEMPT("packet", socket(AF_PACKET, SOCK_RAW, 0));
  ATTEMPT("vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
  ATTEMPT("high bits", socket(AF_INET | 1L << 32, SOCK_STREAM, 0));
  struct sockaddr_un abstract = {AF_UNIX}, path = {AF_UNIX};
  strcpy(abstract.sun_path + 1, argv[1]);
  strcpy(path.sun_path, argv[2]);
  ATTEMPT("abstract", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&abstract,
                              offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1])));
  ATTEMPT("path", connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&path, sizeof path));
}
