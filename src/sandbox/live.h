// The watcher's side of a Control: takes orders from other threads between two naps.
#pragma once

#include <span>

#include "sandbox/sandbox.h"
#include "sandbox/watch.h"

namespace assay::sandbox {

// From before the first program starts: whoever has heard a program already, and asks how it does,
// waits for the watcher, which may not have had a cpu since.
class Underway {
 public:
  explicit Underway(Control* control);
  ~Underway();
  Underway(const Underway&) = delete;
  Underway& operator=(const Underway&) = delete;
  void await_leave(std::size_t programs);  // to start: not while they are paused

 private:
  Control* control_;
};

class LiveRun {
 public:
  // Where no descriptor was free for a Control, nobody could be heard through it.
  static Status check(const Control* control);
  LiveRun(Control* control, std::span<Watched> programs);
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  [[nodiscard]] int wake_up() const;  // readable when there are orders; -1 without a Control
  [[nodiscard]] int line() const;     // whoever hangs up here cancels; -1: nobody
  void hear_knocks();
  void hung_up();
  [[nodiscard]] bool has_something_on_its_way() const;
  void tell_end(std::size_t index, const Watched& program);
  void obey(std::span<Watched> programs, Clock::time_point now);

 private:
  Control* control_;
};

}  // namespace assay::sandbox
