// The port: accepts connections on behalf of gRPC. Its own listener (1.51) takes any number of
// them, and closes for good when there are no descriptors left.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "transport/grpc_module/connections.h"
#include "transport/grpc_module/listeners.h"
#include "transport/grpc_module/loop.h"

namespace assay::transport::module {

class Entrance {
 public:
  using Welcome = std::function<void(int listener, os::OwnedFd client)>;

  // `most`: connections at a time. Those beyond are closed at once.
  static Result<std::unique_ptr<Entrance>> make(Listeners listeners, std::size_t most, Loop& loop);

  // Neither on the loop's thread, on which people are welcomed: nobody any more once close()
  // returns.
  Status open(Welcome welcome);
  void close();

 private:
  Entrance(Listeners listeners, os::OwnedFd pause, std::size_t most, Loop& loop)
      : loop_(loop),
        sockets_(std::move(listeners.sockets)),
        pause_(std::move(pause)),
        connections_(most) {}
  Status watch(int fd, std::function<void()> on_event);
  void accept_all();
  void accept_some(int listener);
  void wait_a_little();

  Loop& loop_;
  std::vector<os::OwnedFd> sockets_;  // none: closed
  os::OwnedFd pause_;                 // a timer
  Connections connections_;
  Welcome welcome_{};
  std::vector<std::uint64_t> watches_{};
};

}  // namespace assay::transport::module
