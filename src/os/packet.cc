#include "os/packet.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>

#include "base/check.h"

namespace assay::os {
namespace {

constexpr std::size_t kMostFds = 253;  // SCM_MAX_FD

std::vector<OwnedFd> take_fds(msghdr& message) {
  std::vector<OwnedFd> fds;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
  return fds;
}

}  // namespace

Result<PacketPair> make_packet_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) < 0)
    return system_error("make a socket pair");
  return PacketPair{OwnedFd(ends[0]), OwnedFd(ends[1])};
}

Status send_packet(int socket, std::span<const std::byte> bytes, std::span<const int> fds) {
  CHECK(fds.size() <= kMostFds);
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostFds)> space;
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = space.data();
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return system_error("send a packet");
  return {};
}

Result<Received> receive_packet(int socket, std::span<std::byte> into, Wait wait) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostFds)> space;
  iovec part{into.data(), into.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait == Wait::No ? MSG_DONTWAIT : 0));
  } while (got < 0 && errno == EINTR);
  if (got < 0) return system_error("receive a packet");
  Received received{static_cast<std::size_t>(got), take_fds(message)};
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
    return system_error(EMSGSIZE, "receive a packet");
  return received;
}

}  // namespace assay::os
