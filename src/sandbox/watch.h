// Watches the programs of one call until the last has ended: limits, streams, remote control,
// facts.
//
// A limit breaks at the limit, not at the next tick of a poll: each program has one moment at which
// something can be due, computed from what it has used so far, and the watcher sleeps until the
// first of those or until a descriptor speaks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sandbox/handle.h"
#include "sandbox/sandbox.h"
#include "sandbox/streams.h"

namespace assay::sandbox {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, the clock of the slate

// One program of a group, from the message that starts it to its facts.
class Watched {
 public:
  Watched(const Spec& spec, const Limits& limits, BoxHandle& box);

  void started(Clock::time_point now);

  [[nodiscard]] bool is_over() const { return ended_.has_value(); }
  [[nodiscard]] Clock::time_point due() const { return due_; }
  [[nodiscard]] const BoxHandle& box() const { return *box_; }
  BoxHandle& box() { return *box_; }
  Streams& streams() { return streams_; }

  void check(Clock::time_point now);  // limits, at due() or later
  void look_at_streams();
  // Of a group in which one was idle for too long: whoever has been waiting about as long waits for
  // it, and would only see its end. All of them are idle.
  void join_idle(Clock::time_point now);
  [[nodiscard]] CutOff cut_off_by() const { return cut_; }
  // Past its idle limit, where that ends it only together with the others.
  [[nodiscard]] bool waits() const { return waits_; }
  [[nodiscard]] bool idles() const { return idles_ && !is_over(); }  // past it, and to be ended
  void stirred(Clock::time_point now);                // what it waited for may have come
  [[nodiscard]] bool is_late(Clock::time_point now);  // its wall time is up
  // What it does now; Unsure: look again after a few milliseconds.
  enum class Standing { Sleeps, Runs, Unsure, Starves };
  Standing look(Clock::time_point now);
  [[nodiscard]] Nanoseconds starved() const { return starved_; }  // when it was last looked at
  // Of a group: those it waits for may have got no cpu, and that is not its fault either.
  void excuse(Nanoseconds others_starved) { others_starved_ = others_starved; }
  void be_patient(Clock::time_point now, Standing worst);
  // The watcher itself got no cpu: for so long nobody was looked at who should have been.
  void unwatched_for(Nanoseconds time) {
    if (cut_ == CutOff::None) unwatched_ += time;
  }
  [[nodiscard]] Nanoseconds dying() const;  // from our order to its end; 0: it ended by itself
  // It is over and nobody was told: true once.
  bool is_news() { return is_over() && !std::exchange(told_, true); }
  [[nodiscard]] End end() const;  // once it is over
  Status hear();                  // something arrived on the run socket
  void cut_off(CutOff why);
  void pause(bool paused, Clock::time_point now);
  [[nodiscard]] bool is_lost(
      Clock::time_point now) const;  // killed long ago, and no word from the box
  void give_up();                    // the box is broken
  void never_starts(FileError why);  // a file could not be put in
  [[nodiscard]] bool never_started() const { return missing_file_.has_value(); }

  [[nodiscard]] Usage usage(Clock::time_point now);
  void begin_section();
  [[nodiscard]] std::uint64_t ended_ns() const { return ended_ ? ended_->ended_ns : ~0ULL; }
  Result<Facts> facts();

 private:
  [[nodiscard]] Nanoseconds cpu_used();
  [[nodiscard]] inside::Awaits awaits();
  [[nodiscard]] bool would_go_on();
  [[nodiscard]] Nanoseconds starved_of(Nanoseconds wall, Nanoseconds cpu) const;
  void schedule(Clock::time_point now, Nanoseconds cpu);
  void check_idle(Clock::time_point now, Nanoseconds cpu);
  [[nodiscard]] Nanoseconds wall_used(Clock::time_point now) const;
  [[nodiscard]] CpuTimes cpu_times(const Facts& facts) const;
  void fill_cpu(Facts& facts) const;
  void note_wanted(Nanoseconds wanted, Nanoseconds cpu);
  void fill_starved(Facts& facts);
  void agree_on_cpu(Facts& facts) const;
  void agree_on_wall(Facts& facts) const;
  void fill_memory(Facts& facts);

  const Spec* spec_;
  Limits limits_;
  BoxHandle* box_;
  Streams streams_;
  std::optional<FileError> missing_file_;
  std::optional<inside::Ended> ended_;
  bool box_died_ = false;
  bool waits_ = false;
  bool idles_ = false;
  bool told_ = false;
  CutOff cut_ = CutOff::None;
  Nanoseconds cpu_at_cut_{};
  Clock::time_point sent_{};
  Clock::time_point due_{};
  Clock::time_point killed_at_{};
  Clock::time_point progress_at_{};  // the last time the cpu meter had moved, or it was starved
  Clock::time_point asked_at_{};     // the last time the launcher said what its threads wait for
  Nanoseconds starved_{};            // it was ready and got no cpu, when last looked at
  Nanoseconds others_starved_{};     // likewise, of those it may have waited for
  Nanoseconds unwatched_{};
  Clock::time_point seen_at_{};  // the last time it was ready, and its cpu time then
  Nanoseconds seen_cpu_{};
  Clock::time_point patient_until_{};
  bool was_patient_ = false;
  bool slept_ = false;  // when last looked at
  Nanoseconds progress_cpu_{};
  std::optional<Clock::time_point> paused_since_;
  Nanoseconds paused_total_{};
  unsigned cores_ = 1;
};

// Runs until all are over, or until then.
Status watch(std::span<Watched> programs, Control* control,
             Clock::time_point until = Clock::time_point::max());

}  // namespace assay::sandbox
