#include "transport/grpc_module/entrance.h"

#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

namespace assay::transport::module {
namespace {

constexpr int kMostAtOnce = 8;  // who come in: streams are served meanwhile
constexpr timespec kLittle{.tv_sec = 0, .tv_nsec = 50'000'000};

}  // namespace

Result<std::unique_ptr<Entrance>> Entrance::make(Listeners listeners, std::size_t most,
                                                 Loop& loop) {
  os::OwnedFd pause(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!pause.is_open()) return system_error("make a timer for gRPC's port");
  return std::unique_ptr<Entrance>(
      new Entrance(std::move(listeners), std::move(pause), most, loop));
}

Status Entrance::open(Welcome welcome) {
  welcome_ = std::move(welcome);
  return loop_.ask([this]() -> Status {
    for (const os::OwnedFd& socket : sockets_)
      TRY_STATUS(watch(socket.get(), [this, fd = socket.get()] { accept_some(fd); }));
    return watch(pause_.get(), [this] { accept_all(); });
  });
}

Status Entrance::watch(int fd, std::function<void()> on_event) {
  watches_.push_back(TRY(loop_.watch(fd, [event = std::move(on_event)](auto) { event(); })));
  return {};
}

void Entrance::close() {
  (void)loop_.ask([this]() -> Status {
    for (const std::uint64_t watch : watches_)
      loop_.forget(watch);
    watches_.clear();
    sockets_.clear();
    return {};
  });
  // Behind us there may be one more of accept_some(), which finds nothing and posts no other.
  (void)loop_.ask([]() -> Status { return {}; });
}

void Entrance::accept_all() {
  for (const os::OwnedFd& socket : sockets_)
    accept_some(socket.get());
}

void Entrance::accept_some(int listener) {
  // What was posted may come after the end, and then the number may be another's.
  if (std::ranges::find(sockets_, listener, &os::OwnedFd::get) == sockets_.end()) return;
  for (int count = 0; count < kMostAtOnce;) {
    os::OwnedFd client(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client.is_open() && errno == EAGAIN) return;
    if (!client.is_open() && errno != EINTR && errno != ECONNABORTED) return wait_a_little();
    if (!client.is_open()) continue;
    ++count;
    if (connections_.admit(client.get())) welcome_(listener, std::move(client));
  }
  loop_.post([this, listener] { accept_some(listener); });
}

// No descriptors left: the kernel keeps the others in line until some are closed.
void Entrance::wait_a_little() {
  const itimerspec once{.it_interval = {}, .it_value = kLittle};
  ::timerfd_settime(pause_.get(), 0, &once, nullptr);
}

}  // namespace assay::transport::module
