// Waiting for a descriptor, as a step of a coroutine: until it can be read or written, or the time
// is over.
#pragma once

#include <coroutine>

#include "os/fd.h"
#include "transport/asio.h"
#include "transport/task.h"

namespace assay::transport {

class DescriptorWait {
 public:
  using Descriptor = boost::asio::posix::stream_descriptor;

  DescriptorWait(boost::asio::io_context& io, os::OwnedFd fd, Descriptor::wait_type what,
                 std::chrono::milliseconds patience)
      : io_(io), fd_(std::move(fd)), what_(what), patience_(patience) {}

  static bool await_ready() { return false; }
  // Whoever calls first, the clock or the descriptor, wakes us; but not before this function has
  // let go of the frame that it lives in.
  bool await_suspend(std::coroutine_handle<> waiting) {
    auto wake = std::make_shared<Wake>(io_, fd_.release(), waiting);
    boost::asio::post(wake->strand, [wake, what = what_, patience = patience_] {
      wake->clock.expires_after(patience);
      wake->clock.async_wait([wake](boost::system::error_code) { wake->call(); });
      wake->descriptor.async_wait(what, [wake](boost::system::error_code) { wake->call(); });
    });
    return !wake->meeting.is_second();
  }
  static void await_resume() {}

 private:
  struct Wake {
    Wake(boost::asio::io_context& context, int fd, std::coroutine_handle<> coroutine)
        : strand(boost::asio::make_strand(context)),
          waiting(coroutine),
          clock(strand),
          descriptor(strand, fd) {}
    // On the strand.
    void call() {
      if (std::exchange(called, true)) return;
      clock.cancel();
      descriptor.close();
      if (meeting.is_second()) waiting.resume();
    }
    boost::asio::strand<boost::asio::io_context::executor_type> strand;
    std::coroutine_handle<> waiting;
    boost::asio::steady_timer clock;
    Descriptor descriptor;
    bool called = false;
    Meeting meeting;
  };

  boost::asio::io_context& io_;
  os::OwnedFd fd_;
  Descriptor::wait_type what_;
  std::chrono::milliseconds patience_;
};

}  // namespace assay::transport
