#include "held/doors.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include "os/packet.h"

namespace assay::held {
namespace {

enum class Order : unsigned char { Open, Remove };

struct Reply {
  int error = 0;  // errno; 0: it worked
};

// After the descriptor: we have closed ours. Until then a client could find a reader in it that is
// about to go, and its byte would be lost.
constexpr unsigned char kOnlyYours = 1;

}  // namespace

Result<Usher> Usher::make(Fifos fifos) {
  Usher usher;
  usher.shared_ = std::make_unique<Shared>(std::move(fifos));
  for (std::size_t i = 0; i < kDoors; ++i) {
    os::PacketPair pair = TRY(os::make_packet_pair());
    usher.ours_[i] = std::move(pair.ours);
    usher.theirs_[i] = std::move(pair.theirs);
  }
  return usher;
}

Usher::Usher(Usher&&) noexcept = default;

Doors Usher::doors() {
  return Doors(std::move(theirs_));
}

void Usher::serve() {
  for (os::OwnedFd& end : theirs_)
    end.reset();
  for (std::size_t i = 0; i < kDoors; ++i)
    threads_.emplace_back(work, std::ref(*shared_), static_cast<Door>(i), ours_[i].get());
}

// Those who wait in open() come back when the fifos go, those who wait for orders when we hang up.
Usher::~Usher() {
  if (shared_ == nullptr) return;
  for (const os::OwnedFd& end : ours_)
    ::shutdown(end.get(), SHUT_RDWR);
  {
    const std::lock_guard guard(shared_->lock);
    shared_->fifos.remove();
  }
  for (std::thread& thread : threads_)
    thread.join();
}

int Usher::carry_out(Shared& shared, Door door, unsigned char order, os::OwnedFd& opened) {
  if (order == static_cast<unsigned char>(Order::Remove)) {
    const std::lock_guard guard(shared.lock);
    shared.fifos.remove();
    return 0;
  }
  auto found = shared.fifos.open(door);
  if (!found) return found.error().code == 0 ? EINVAL : found.error().code;
  opened = std::move(*found);
  return 0;
}

void Usher::work(Shared& shared, Door door, int socket) {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (;;) {
    unsigned char order = 0;
    const auto received = os::receive_packet(socket, os::room_of(order));
    if (!received || received->size != sizeof order) return;
    os::OwnedFd opened;
    const Reply reply{.error = carry_out(shared, door, order, opened)};
    const int fd = opened.get();
    const std::span<const int> fds(&fd, opened.is_open() ? 1 : 0);
    if (!os::send_packet(socket, os::bytes_of(reply), fds)) return;
    opened.reset();
    if (!os::send_packet(socket, os::bytes_of(kOnlyYours))) return;
  }
}

Status Doors::ask(Door door) {
  const auto order = static_cast<unsigned char>(Order::Open);
  return os::send_packet(socket(door), os::bytes_of(order));
}

Result<os::OwnedFd> Doors::take(Door door) {
  Reply reply;
  os::Received received = TRY(os::receive_packet(socket(door), os::room_of(reply)));
  unsigned char only_ours = 0;
  const os::Received after = TRY(os::receive_packet(socket(door), os::room_of(only_ours)));
  if (received.size != sizeof reply || after.size != sizeof only_ours)
    return system_error(EPIPE, "have a pipe opened");
  if (reply.error != 0 || received.fds.empty()) return system_error(reply.error, "open a pipe");
  return std::move(received.fds.front());
}

Result<os::OwnedFd> Doors::open(Door door) {
  TRY_STATUS(ask(door));
  return take(door);
}

// Through the door of `wait`, which never keeps its thread waiting.
void Doors::remove() {
  const auto order = static_cast<unsigned char>(Order::Remove);
  if (os::send_packet(socket(Door::Wait), os::bytes_of(order))) (void)take(Door::Wait);
}

}  // namespace assay::held
