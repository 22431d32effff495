#include "transport/grpc_module/deadlines.h"

#include <grpc/grpc.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <vector>

namespace assay::transport::module {
namespace {

constexpr int kLooks = 4;                     // while the patience lasts
constexpr std::size_t kUnhurried = 16 << 20;  // bytes for which there is once more the patience

timespec to_timespec(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(time - seconds).count()};
}

}  // namespace

Result<std::unique_ptr<Deadlines>> Deadlines::make(std::chrono::milliseconds patience) {
  os::OwnedFd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer.is_open()) return system_error("make a timer for gRPC's calls");
  const timespec pause = to_timespec(patience / kLooks);
  const itimerspec period{.it_interval = pause, .it_value = pause};
  if (::timerfd_settime(timer.get(), 0, &period, nullptr) != 0)
    return system_error("set the timer for gRPC's calls");
  return std::unique_ptr<Deadlines>(new Deadlines(patience, std::move(timer)));
}

// The library must be there for the last call that is given back, which may be after the server.
Deadlines::Deadlines(std::chrono::milliseconds patience, os::OwnedFd timer)
    : patience_(patience), timer_(std::move(timer)) {
  grpc_init();
}

Deadlines::~Deadlines() {
  grpc_shutdown();
}

Status Deadlines::look_from(Loop& loop) {
  return loop.ask([&]() -> Status {
    (void)TRY(loop.watch(timer_.get(), [this](auto) { tick(); }));
    return {};
  });
}

void Deadlines::tick() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) < 0) return;
  cancel_late(Clock::now());
}

// Without the lock: to cancel a call may end it on this thread, and that comes back to end().
void Deadlines::cancel_late(Clock::time_point now) {
  std::vector<std::pair<grpc_call*, const char*>> late;
  {
    const std::lock_guard lock(mutex_);
    for (Wait* wait : waits_) {
      if (wait->until_ > now) continue;
      grpc_call_ref(wait->call_);  // it may be over before we come to it
      late.emplace_back(wait->call_, wait->reason_);
    }
  }
  for (const auto& [call, reason] : late) {
    grpc_call_cancel_with_status(call, GRPC_STATUS_DEADLINE_EXCEEDED, reason, nullptr);
    grpc_call_unref(call);
  }
}

void Deadlines::Wait::begin_for_request() {
  begin(deadlines_.patience_, "no execRequest came in time");
}

void Deadlines::Wait::begin_for_answer(std::size_t size) {
  const auto more = static_cast<std::chrono::milliseconds::rep>(size / kUnhurried);
  begin(deadlines_.patience_ * (1 + more), "the answer was not taken in time");
}

void Deadlines::Wait::begin(std::chrono::milliseconds patience, const char* reason) {
  const std::lock_guard lock(deadlines_.mutex_);
  until_ = Clock::now() + patience;
  reason_ = reason;
  deadlines_.waits_.insert(this);
}

void Deadlines::Wait::end() {
  if (reason_ == nullptr) return;
  const std::lock_guard lock(deadlines_.mutex_);
  reason_ = nullptr;
  deadlines_.waits_.erase(this);
}

}  // namespace assay::transport::module
