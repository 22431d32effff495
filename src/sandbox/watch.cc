#include "sandbox/watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "sandbox/live.h"

namespace assay::sandbox {
namespace {

using namespace std::chrono_literals;

// For this long after the start the streams are left alone: most programs end before, and a wake-up
// for each line they print costs more than the line. The pipe holds 64 KiB meanwhile. Whoever has
// said nothing in the first of these times is left alone for the second. A C++ program takes 1.5 ms
// to be loaded and to end.
constexpr Nanoseconds kQuietStart = 2ms;
constexpr Nanoseconds kQuietAfterSilence = 5ms;
// And whenever there was little to be heard, if nobody waits for it: byte by byte a program would
// have the watcher work half as much as itself, in an account that is not its own.
constexpr Nanoseconds kQuietAfterLittle = 1ms;
constexpr std::uint64_t kLittle = 4096;

// Later than that, the watcher is said to have overslept.
constexpr Nanoseconds kPunctual = 20ms;

class Loop {
 public:
  Loop(std::span<Watched> programs, LiveRun& live, Clock::time_point until)
      : programs_(programs), live_(live), begun_(Clock::now()), until_(until) {
    is_heard_ = any_stream(&Collector::is_heard);
  }

  Status run_until_over() {
    tell_ends();  // of those that never start
    while (!all_over() && Clock::now() < until_) {
      gather();
      TRY_STATUS(sleep());
      const auto now = Clock::now();
      note_oversleeping(now);
      woke_ = now;
      if (waiting_[0].revents != 0) live_.hear_knocks();
      if (waiting_[1].revents != 0) live_.hung_up();
      live_.obey(programs_, now);
      for (std::size_t i = 0; i < programs_.size(); ++i)
        tend(programs_[i], run_at_[i], now);
      // All have been looked at before the first is ended: its end would stir the others.
      if (std::ranges::any_of(programs_, &Watched::idles))
        for (Watched& program : programs_)
          program.join_idle(now);
      rest_from_streams(now);
      tell_ends();
      end_if_all_wait(now);
    }
    return {};
  }

 private:
  [[nodiscard]] bool all_over() const {
    return std::ranges::all_of(programs_, [](const Watched& program) { return program.is_over(); });
  }

  // Looked at once more: what one did since its last look may be what the others waited for.
  void end_if_all_wait(Clock::time_point now) {
    const auto waits = [](const Watched& program) {
      return program.is_over() || program.waits();
    };
    if (all_over() || !std::ranges::all_of(programs_, waits)) return;
    for (Watched& program : programs_)
      program.check(now);
    if (!std::ranges::all_of(programs_, waits)) return;
    const bool on_its_way = live_.has_something_on_its_way();
    for (Watched& program : programs_)
      on_its_way ? program.stirred(now) : program.cut_off(CutOff::Idle);
  }

  void tell_ends() {
    for (std::size_t i = 0; i < programs_.size(); ++i) {
      if (!programs_[i].is_news()) continue;
      live_.tell_end(i, programs_[i]);
      for (Watched& other : programs_)
        other.stirred(Clock::now());
    }
  }

  void gather() {
    waiting_.clear();
    run_at_.clear();
    waiting_.push_back({live_.wake_up(), POLLIN, 0});
    waiting_.push_back({live_.line(), POLLRDHUP, 0});
    keep_quiet();
    for (Watched& program : programs_) {
      run_at_.push_back(waiting_.size());
      waiting_.push_back({program.is_over() ? -1 : program.box().run_socket(), POLLIN, 0});
      if (quiet_ || program.is_over()) continue;
      for (const Collector& collector : program.streams().collectors()) {
        if (collector.wants_writing())
          waiting_.push_back({collector.sink(), POLLOUT, 0});
        else if (collector.wants_reading())
          waiting_.push_back({collector.source(), POLLIN, 0});
      }
    }
  }

  void keep_quiet() {
    if (!quiet_ || Clock::now() < quiet_until_) return;
    quiet_ = begins_ && !any_stream(has_something);
    quiet_until_ = begun_ + kQuietAfterSilence;
    begins_ = false;
  }

  void rest_from_streams(Clock::time_point now) {
    if (quiet_ || is_heard_ || !was_called_by_a_stream()) return;
    std::uint64_t heard = 0;
    any_stream([&](const Collector& collector) {
      heard += collector.heard();
      return false;
    });
    quiet_ = heard - std::exchange(heard_, heard) < kLittle;
    quiet_until_ = now + kQuietAfterLittle;
  }

  [[nodiscard]] bool was_called_by_a_stream() const {
    for (std::size_t i = run_at_.front(); i < waiting_.size(); ++i)
      if (waiting_[i].revents != 0 && !std::ranges::binary_search(run_at_, i)) return true;
    return false;
  }

  static bool has_something(const Collector& collector) {
    int unread = 0;
    return ::ioctl(collector.source(), FIONREAD, &unread) == 0 && unread > 0;
  }

  template <class Asked>
  bool any_stream(Asked asked) {
    for (Watched& program : programs_)
      if (std::ranges::any_of(program.streams().collectors(), asked)) return true;
    return false;
  }

  // Whatever was due first decides: when one had to be ended seconds ago, and the other would have
  // ended with it, the other's wall time did not go on meanwhile.
  void note_oversleeping(Clock::time_point now) {
    if (due_ == Clock::time_point::max() || now - due_ < kPunctual) return;
    for (Watched& program : programs_)
      program.unwatched_for(now - due_);
  }

  // The same for how long it took to end one: those who ended with it waited for us.
  void note_dying(const Watched& program) {
    if (program.dying() < kPunctual) return;
    for (Watched& other : programs_)
      if (&other != &program) other.unwatched_for(program.dying());
  }

  Status sleep() {
    Clock::time_point due = until_;
    for (const Watched& program : programs_)
      if (!program.is_over()) due = std::min(due, program.due());
    due_ = due;  // and not when the streams are: what is late there is nobody's time
    if (due != Clock::time_point::max())
      due_ = std::max(due, woke_);  // and not now: we may have lost the cpu since
    if (quiet_ && has_streams()) due = std::min(due, quiet_until_);
    timespec timeout{};
    if (due != Clock::time_point::max()) {
      const Nanoseconds left = std::max(Nanoseconds(due - Clock::now()), Nanoseconds{});
      timeout = {left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    }
    if (::ppoll(waiting_.data(), waiting_.size(),
                due == Clock::time_point::max() ? nullptr : &timeout, nullptr) < 0 &&
        errno != EINTR)
      return system_error("wait for a program");
    return {};
  }

  [[nodiscard]] bool has_streams() {
    return std::ranges::any_of(programs_,
                               [](Watched& program) { return program.streams().any_collected(); });
  }

  void tend(Watched& program, std::size_t run_at, Clock::time_point now) {
    if (program.is_over()) return;
    if (waiting_[run_at].revents != 0 && !program.hear()) program.give_up();
    if (program.is_over()) return note_dying(program);
    if (!quiet_) program.look_at_streams();
    if (now >= program.due()) {
      if (program.is_late(now)) give_time(program, now);
      program.check(now);
    }
    if (program.is_lost(now)) program.give_up();
  }

  // Late, but perhaps because somebody gets no cpu.
  void give_time(Watched& program, Clock::time_point now) {
    auto worst = Watched::Standing::Sleeps;
    Nanoseconds others{};
    for (Watched& each : programs_) {
      worst = std::max(worst, each.look(now));
      if (&each != &program) others += each.starved();
    }
    program.excuse(others);
    if (worst >= Watched::Standing::Unsure) program.be_patient(now, worst);
  }

  std::span<Watched> programs_;
  LiveRun& live_;
  Clock::time_point begun_;
  Clock::time_point until_;
  Clock::time_point due_{};  // the watcher sleeps until then at most
  Clock::time_point woke_{};
  bool quiet_ = true;
  bool begins_ = true;     // nothing has been asked about yet
  bool is_heard_ = false;  // by somebody who listens meanwhile
  Clock::time_point quiet_until_ = begun_ + kQuietStart;
  std::uint64_t heard_ = 0;
  std::vector<pollfd> waiting_;
  std::vector<std::size_t> run_at_;
};

}  // namespace

Status watch(std::span<Watched> programs, Control* control, Clock::time_point until) {
  LiveRun live(control, programs);
  return Loop(programs, live, until).run_until_over();
}

}  // namespace assay::sandbox
