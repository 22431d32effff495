// Every open connection, so that one clock can end those that keep us waiting, and the server can
// end them all. A timer per connection would need a lock or a strand around each of them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

#include "os/fd.h"

namespace assay::transport {

// Idle: between two requests. Reading, Writing: the peer is to move. Busy: we are. Leaving: it was
// idle when the server began to drain.
enum class Phase { Idle, Reading, Writing, Busy, Leaving };

class Registry;

// One connection: its descriptor, and what the sweeper may do to it.
class Visit {
 public:
  Visit(Registry& registry, os::OwnedFd socket);
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit();

  [[nodiscard]] int socket() const { return socket_.get(); }
  // The peer has so long from now on.
  void expect(Phase phase, std::chrono::milliseconds patience);
  void be_busy();
  [[nodiscard]] bool timed_out() const { return timed_out_; }
  // Whatever came in after that is for nobody: the peer sees the end, and asks somebody else.
  [[nodiscard]] bool leaves() const { return leaves_; }
  // For a connection that is busy as long as it lives: told, once and with a lock held, that the
  // server ends.
  void when_parting(std::function<void()> tell);

 private:
  friend class Registry;
  Registry& registry_;
  os::OwnedFd socket_;
  std::list<Visit*>::iterator place_{};
  std::atomic<Phase> phase_ = Phase::Busy;
  std::atomic<std::int64_t> deadline_ = 0;  // milliseconds of the steady clock; 0: none
  std::atomic<bool> timed_out_ = false;
  bool leaves_ = false;  // the connection's own
  std::function<void()> parting_{};
};

class Registry {
 public:
  [[nodiscard]] std::size_t count();
  void sweep();  // shuts those down whose time is over
  void drain();  // idle ones go, now and later
  // Those that wait for us are answered, if they take it in time; everybody else goes, and at the
  // end everybody has.
  void part(std::chrono::milliseconds patience);
  [[nodiscard]] bool is_draining() const { return draining_; }

 private:
  friend class Visit;
  void enter(Visit& visit);
  void leave(Visit& visit);
  void dismiss(Visit& visit) const;
  static void send_off(Visit& visit);

  std::mutex lock_;
  std::condition_variable empty_;
  std::list<Visit*> visits_;
  std::atomic<bool> draining_ = false;
  std::atomic<bool> parting_ = false;
  bool hanging_up_ = false;
};

}  // namespace assay::transport
