// Calls that wait for their client: for its request, or until it has taken an answer. One that lets
// us wait too long is cancelled, so that what is kept for it can go.
//
// There is one timer for all: a timer each would be a descriptor each, and one connection may open
// a thousand calls.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "base/result.h"
#include "os/fd.h"
#include "transport/grpc_module/loop.h"

struct grpc_call;

namespace assay::transport::module {

class Deadlines {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<std::unique_ptr<Deadlines>> make(std::chrono::milliseconds patience);
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  Status look_from(Loop& loop);  // that ends before this does

  // Of one call, for one thing at a time; from any thread. It must have ended when the call's
  // OnDone returns: the call may be gone then.
  class Wait {
   public:
    Wait(Deadlines& deadlines, grpc_call* call) : deadlines_(deadlines), call_(call) {}
    ~Wait() { end(); }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    void begin_for_request();
    void begin_for_answer(std::size_t size);  // the larger, the longer
    void end();

   private:
    friend class Deadlines;
    void begin(std::chrono::milliseconds patience, const char* reason);

    Deadlines& deadlines_;
    grpc_call* call_;
    Clock::time_point until_{};
    const char* reason_ = nullptr;  // none: it waits for nothing
  };

 private:
  Deadlines(std::chrono::milliseconds patience, os::OwnedFd timer);
  void tick();
  void cancel_late(Clock::time_point now);

  const std::chrono::milliseconds patience_;
  os::OwnedFd timer_;
  std::mutex mutex_{};
  std::unordered_set<Wait*> waits_{};
};

}  // namespace assay::transport::module
