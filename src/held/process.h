// A process that its owner holds by the hand: it runs on a thread of ours, and between its steps
// the owner asks what it has used, and at last ends it. Free of any transport. Knows nothing of
// what happens on the program's streams.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "held/reading.h"
#include "sandbox/sandbox.h"

namespace assay::held {

struct Ended {
  std::optional<sandbox::Facts> facts{};
  std::string no_start{};  // without facts: why it never ran, as when it did not compile
};

class Process {
 public:
  // Runs the program until it is over; a cancelled control ends it. An Error is our failure.
  using Run = std::move_only_function<Result<Ended>(sandbox::Control&)>;

  Process(Run run, Nanoseconds grace);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();  // kills it and waits

  // Any number of times, whether it runs or is over; ends a section. Safe from any thread.
  Reading wait();
  // Gives it the grace to end by itself, then kills the whole tree. It is over afterwards.
  Reading terminate();
  Reading look();  // as wait(), and the section goes on

  void cancel(sandbox::CutOff why) { control_.cancel(why); }
  [[nodiscard]] bool is_over();
  bool await_end(Nanoseconds patience);
  // Our failure, once it is over; the readings say "not started".
  [[nodiscard]] std::optional<Error> failure();

 private:
  void work();
  Reading read(sandbox::Section section);
  void fill_live(Reading& reading, sandbox::Section section);
  void fill_ended(Reading& reading) const;

  Run run_;
  Nanoseconds grace_;
  sandbox::Control control_;

  std::mutex asking_;  // one reading at a time: they are compared with the one before
  Reading last_{};
  std::uint64_t sections_ = 0;
  Nanoseconds section_began_{};

  std::mutex lock_;  // guards `ended_`, which changes once
  std::condition_variable over_;
  std::optional<Result<Ended>> ended_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace assay::held
