// Packets with descriptors over a SOCK_SEQPACKET pair: one send is one receive, whole or not at
// all.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "os/fd.h"

namespace assay::os {

struct PacketPair {
  OwnedFd ours;
  OwnedFd theirs;
};
Result<PacketPair> make_packet_pair();

// Fails with EAGAIN only on a socket that was made non-blocking.
Status send_packet(int socket, std::span<const std::byte> bytes, std::span<const int> fds = {});

struct Received {
  std::size_t size = 0;  // 0: the other side is gone
  std::vector<OwnedFd> fds{};
};
enum class Wait { Yes, No };
Result<Received> receive_packet(int socket, std::span<std::byte> into, Wait wait = Wait::Yes);

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
template <typename T>
std::span<std::byte> room_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace assay::os
