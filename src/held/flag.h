// An event that happens once and can be waited for together with a descriptor.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "os/fd.h"

namespace assay::held {

class Flag {
 public:
  static Result<Flag> make() {
    Flag flag;
    flag.event_ = os::OwnedFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!flag.event_.is_open()) return system_error("make an event");
    return flag;
  }

  void raise() const {
    const std::uint64_t one = 1;
    (void)!::write(event_.get(), &one, sizeof one);
  }
  [[nodiscard]] int descriptor() const { return event_.get(); }  // readable once raised
  [[nodiscard]] bool is_raised() const { return !await(-1, 0, 0); }

  // False once the flag is raised; true when `fd` has something to say, or the time is over.
  [[nodiscard]] bool await(int fd, short events, int timeout_ms = -1) const {
    std::array<pollfd, 2> waiting{pollfd{event_.get(), POLLIN, 0}, pollfd{fd, events, 0}};
    while (::poll(waiting.data(), waiting.size(), timeout_ms) < 0 && errno == EINTR) {
    }
    return waiting[0].revents == 0;
  }

 private:
  Flag() = default;
  os::OwnedFd event_;
};

}  // namespace assay::held
