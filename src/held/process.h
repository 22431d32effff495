// A process that its owner holds by the hand: between its steps the owner asks what it has used,
// and at last ends it. Somebody else runs it and says when it is over. Free of any transport; knows
// nothing of what happens on the program's streams.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "held/reading.h"
#include "sandbox/sandbox.h"

namespace assay::held {

struct Ended {
  std::optional<sandbox::Facts> facts{};
  std::string no_start{};  // without facts: why it never ran, as when it did not compile
};

// How to reach it while it runs. Both from any thread.
struct Remote {
  std::function<std::vector<sandbox::Usage>(sandbox::Section)> usage{};
  std::function<void(sandbox::CutOff)> cancel{};
};
Remote remote_of(sandbox::Control& control);

class Process {
 public:
  Process(Remote remote, Nanoseconds grace) : remote_(std::move(remote)), grace_(grace) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // By whoever runs it, once. An Error is our failure.
  void ended(Result<Ended> ended);

  // Any number of times, whether it runs or is over; ends a section. Safe from any thread.
  Reading wait();
  // Gives it the grace to end by itself, then kills the whole tree. It is over afterwards.
  Reading terminate();
  Reading look();  // as wait(), and the section goes on

  void cancel(sandbox::CutOff why) { remote_.cancel(why); }
  [[nodiscard]] bool is_over();
  bool await_end(Nanoseconds patience);
  // Our failure, once it is over; the readings say "not started".
  [[nodiscard]] std::optional<Error> failure();

 private:
  Reading read(sandbox::Section section);
  void fill_live(Reading& reading, sandbox::Section section);
  void fill_ended(Reading& reading) const;

  Remote remote_;
  Nanoseconds grace_;

  std::mutex asking_;  // one reading at a time: they are compared with the one before
  Reading last_{};
  std::uint64_t sections_ = 0;
  Nanoseconds section_began_{};

  std::mutex lock_;  // guards `ended_`, which changes once
  std::condition_variable over_;
  std::optional<Result<Ended>> ended_;
};

}  // namespace assay::held
