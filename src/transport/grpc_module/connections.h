// How many of the connections that gRPC was given it still has. It does not tell when it closes
// one; but then their descriptors are other files, or none.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <unordered_map>

namespace assay::transport::module {

class Connections {
 public:
  explicit Connections(std::size_t most) : most_(most) {}

  // Before it is given away. False: there are as many as may be.
  bool admit(int socket);

 private:
  using Clock = std::chrono::steady_clock;
  void forget_closed();

  const std::size_t most_;
  std::unordered_map<int, ino_t> given_{};
  Clock::time_point last_look_{};
};

}  // namespace assay::transport::module
