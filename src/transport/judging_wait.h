// Waiting for a judging, as a step of a coroutine: until something is new, or the time is over.
#pragma once

#include <coroutine>

#include "service/judging.h"
#include "transport/asio.h"
#include "transport/task.h"

namespace assay::transport {

class JudgingWait {
 public:
  JudgingWait(boost::asio::io_context& io, service::Judging& judging, std::uint64_t seen,
              std::chrono::milliseconds patience)
      : io_(io), judging_(judging), seen_(seen), patience_(patience) {}

  static bool await_ready() { return false; }
  // Whoever calls first, the clock or the judging, wakes us; but not before this function has let
  // go of the frame that it lives in.
  bool await_suspend(std::coroutine_handle<> waiting) {
    wake_ = std::make_shared<Wake>(io_, waiting);
    wake_->clock.expires_after(patience_);
    wake_->clock.async_wait([wake = wake_](boost::system::error_code) { wake->call(); });
    listener_ = judging_.listen(seen_, [wake = wake_] { wake->call(); });
    return !wake_->meeting.is_second();
  }
  void await_resume() {
    listener_.reset();
    wake_->clock.cancel();
  }

 private:
  struct Wake {
    Wake(boost::asio::io_context& context, std::coroutine_handle<> coroutine)
        : io(context), waiting(coroutine), clock(context) {}
    // In a thread of the server: the caller is in the middle of judging.
    void call() {
      if (called.exchange(true) || !meeting.is_second()) return;
      boost::asio::post(io, [coroutine = waiting] { coroutine.resume(); });
    }
    boost::asio::io_context& io;
    std::coroutine_handle<> waiting;
    boost::asio::steady_timer clock;
    std::atomic<bool> called = false;
    Meeting meeting;
  };

  boost::asio::io_context& io_;
  service::Judging& judging_;
  std::uint64_t seen_;
  std::chrono::milliseconds patience_;
  std::shared_ptr<Wake> wake_;
  std::unique_ptr<service::Judging::Listener> listener_;
};

}  // namespace assay::transport
