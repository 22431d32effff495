#include "transport/registry.h"

#include <sys/socket.h>

#include <utility>

namespace assay::transport {
namespace {

std::int64_t now_in_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Visit::Visit(Registry& registry, os::OwnedFd socket)
    : registry_(registry), socket_(std::move(socket)) {
  registry_.enter(*this);
}

Visit::~Visit() {
  registry_.leave(*this);
}

void Visit::expect(Phase phase, std::chrono::milliseconds patience) {
  deadline_ = now_in_milliseconds() + patience.count();
  if (phase_.exchange(phase) == Phase::Leaving) leaves_ = true;
  if (phase == Phase::Idle && registry_.is_draining()) Registry::send_off(*this);
  if (phase == Phase::Reading && registry_.parting_) ::shutdown(socket(), SHUT_RD);
}

void Visit::when_parting(std::function<void()> tell) {
  const std::lock_guard guard(registry_.lock_);
  if (registry_.parting_) return tell();
  parting_ = std::move(tell);
}

void Visit::be_busy() {
  phase_ = Phase::Busy;
  deadline_ = 0;
}

void Registry::enter(Visit& visit) {
  const std::lock_guard guard(lock_);
  visit.place_ = visits_.insert(visits_.end(), &visit);
  if (hanging_up_) ::shutdown(visit.socket(), SHUT_RDWR);
}

void Registry::leave(Visit& visit) {
  const std::lock_guard guard(lock_);
  visits_.erase(visit.place_);
  if (visits_.empty()) empty_.notify_all();
}

std::size_t Registry::count() {
  const std::lock_guard guard(lock_);
  return visits_.size();
}

void Registry::sweep() {
  const std::int64_t now = now_in_milliseconds();
  const std::lock_guard guard(lock_);
  for (Visit* visit : visits_) {
    const std::int64_t deadline = visit->deadline_;
    const Phase phase = visit->phase_;
    if (draining_) send_off(*visit);
    if (deadline == 0 || now < deadline) continue;
    visit->timed_out_ = true;
    // Somebody who writes too slowly can still be told so; one who does not read cannot.
    ::shutdown(visit->socket(), phase == Phase::Writing ? SHUT_RDWR : SHUT_RD);
  }
}

// A request may be on its way in: it is either before this, and is answered, or after it.
void Registry::send_off(Visit& visit) {
  Phase idle = Phase::Idle;
  if (visit.phase_.compare_exchange_strong(idle, Phase::Leaving))
    ::shutdown(visit.socket(), SHUT_RD);
}

void Registry::drain() {
  draining_ = true;
  sweep();
}

// Who has something to say comes too late; who is being answered is not disturbed.
void Registry::dismiss(Visit& visit) const {
  const Phase phase = visit.phase_;
  if (visit.parting_)
    std::exchange(visit.parting_, {})();
  else if (phase == Phase::Reading)
    ::shutdown(visit.socket(), SHUT_RD);
  else
    send_off(visit);
}

void Registry::part(std::chrono::milliseconds patience) {
  std::unique_lock held(lock_);
  draining_ = true;
  parting_ = true;
  for (Visit* visit : visits_)
    dismiss(*visit);
  empty_.wait_for(held, patience, [&] { return visits_.empty(); });
  hanging_up_ = true;
  for (const Visit* visit : visits_)
    ::shutdown(visit->socket(), SHUT_RDWR);
  empty_.wait(held, [&] { return visits_.empty(); });
}

}  // namespace assay::transport
