#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "sandbox/inside/state.h"

// g++ calls these for copies and clearing even in freestanding code.
extern "C" void* memcpy(void* to, const void* from, std::size_t size) {
  void* result = to;
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}
extern "C" void* memset(void* to, int value, std::size_t size) {
  void* result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

namespace assay::sandbox::inside {

constexpr unsigned kMostSent = kLeafFiles + kMaxSpares;  // with Ready
constexpr std::size_t kFdSpace = CMSG_SPACE(sizeof(int) * 253);

// One packet with its descriptors. The caller gives room for 253 of them, the most the kernel sends
// at once.
long receive(int socket, void* into, std::size_t size, int* fds, unsigned* fd_count,
             int flags) noexcept {
  alignas(cmsghdr) char space[kFdSpace];
  iovec part{into, size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  long got = 0;
  do {
    got = call(__NR_recvmsg, socket, address(&message), flags);
  } while (got == -EINTR);
  *fd_count = 0;
  if (got < 0) return got;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    *fd_count = static_cast<unsigned>((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(fds, CMSG_DATA(header), *fd_count * sizeof(int));
  }
  return got;
}

bool send(int socket, const void* from, std::size_t size, const int* fds,
          unsigned fd_count) noexcept {
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int) * kMostSent)];
  iovec part{const_cast<void*>(from), size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd_count > kMostSent) return false;
  if (fd_count > 0) {
    message.msg_control = space;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * fd_count);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * fd_count);
    memcpy(CMSG_DATA(header), fds, sizeof(int) * fd_count);
  }
  long sent = 0;
  do {
    sent = call(__NR_sendmsg, socket, address(&message), MSG_NOSIGNAL);
  } while (sent == -EINTR);
  return sent == static_cast<long>(size);
}

void tell(int socket, const void* from, std::size_t size, const int* fds,
          unsigned fd_count) noexcept {
  if (!send(socket, from, size, fds, fd_count)) leave(1);
}

int lift(int fd) noexcept {
  if (fd < 0) return fd;
  const long lifted = call(__NR_fcntl, fd, F_DUPFD_CLOEXEC, kFirstOwnFd);
  close_fd(fd);
  return static_cast<int>(lifted);
}

}  // namespace assay::sandbox::inside
