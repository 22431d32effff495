// Threads that wait at one connection for its next request. Going back to the reactor instead costs
// every request the waking of another thread: the one that handles it leaves the reactor to the
// next.
#pragma once

#include <atomic>

namespace assay::transport {

class Seats {
 public:
  explicit Seats(unsigned count) : free_(static_cast<int>(count)) {}

  // Only a thread of the server may sit down: a worker that goes on with a connection is needed
  // elsewhere.
  static void let_this_thread_sit() { may_sit_ = true; }
  [[nodiscard]] static bool is_ours() { return may_sit_; }  // a thread of the server

  [[nodiscard]] bool any_for_us() const {
    return may_sit_ && free_.load(std::memory_order_relaxed) > 0;
  }
  // False: no seat, or nothing came for a while. True: there is something to read, or the end.
  bool wait_for(int socket);

 private:
  static thread_local bool may_sit_;
  std::atomic<int> free_;
};

}  // namespace assay::transport
