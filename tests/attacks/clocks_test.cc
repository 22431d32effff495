// Row 35: clocks, a program's and the host's.
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using Attack35Clocks = Attack;
using HostClock = Attack;  // not one of `assay attack`, which must not set anybody's clock

// Moves the host's clock an hour ahead and back again, for as long as it lives. Only by
// differences, which the kernel adds itself: at the end nothing but an even number of steps has
// happened, and the clock is as it was.
class StrayingClock {
 public:
  StrayingClock() : strays_([this] { stray(); }) {}
  ~StrayingClock() {
    over_ = true;
    strays_.join();
  }
  StrayingClock(const StrayingClock&) = delete;
  StrayingClock& operator=(const StrayingClock&) = delete;

  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  static bool step(long seconds) {
    timex change{};
    change.modes = ADJ_SETOFFSET;
    change.time.tv_sec = seconds;
    return ::adjtimex(&change) >= 0;  // the state of the clock, which may well be TIME_ERROR
  }
  void stray() {
    for (; !over_ && step(3600); ++rounds_) {
      std::this_thread::sleep_for(20ms);  // by the monotonic clock, as everything of ours
      EXPECT_TRUE(step(-3600)) << "the host's clock is an hour ahead";
      std::this_thread::sleep_for(20ms);
    }
  }

  std::atomic<bool> over_ = false;
  std::atomic<int> rounds_ = 0;
  std::thread strays_;
};

// The host's clock a tenth faster for as long as it lives, as far as the kernel lets it be slewed.
class FastClock {
 public:
  FastClock() {
    ::adjtimex(&before_);
    timex fast{};
    fast.modes = ADJ_TICK | ADJ_FREQUENCY;
    fast.tick = 1'100'000 / ::sysconf(_SC_CLK_TCK);
    fast.freq = 500L << 16;
    is_fast_ = ::adjtimex(&fast) >= 0;
  }
  ~FastClock() {
    before_.modes = ADJ_TICK | ADJ_FREQUENCY;
    EXPECT_GE(::adjtimex(&before_), 0) << "the host's clock stays fast";
  }
  FastClock(const FastClock&) = delete;
  FastClock& operator=(const FastClock&) = delete;

  [[nodiscard]] bool is_fast() const { return is_fast_; }

 private:
  timex before_{};
  bool is_fast_ = false;
};

Nanoseconds time_by(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

TEST_F(Attack35Clocks, CannotBeSet) {
  const Outcome outcome = attack({.guest = "use_forbidden_calls"});
  for (const std::string call : {"clock_settime", "settimeofday", "clock_adjtime"})
    EXPECT_EQ(result_of(outcome, call), "EPERM") << outcome;
}

TEST_F(Attack35Clocks, WallTimeIsNeverLessThanOneCoresCpuTime) {
  NEEDS_METERS();
  for (int round = 0; round < 20; ++round) {
    const Outcome outcome =
        run({.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(10ms))}});
    EXPECT_GE(outcome.facts.wall, outcome.facts.cpu_total - scaled(3ms)) << outcome;
  }
}

TEST_F(HostClock, ThatJumpsByAnHourChangesNothing) {
  NEEDS_METERS();
  if (std::getenv("ASSAY_VM") == nullptr)
    GTEST_SKIP() << "sets the clock of the host: only in a machine of its own (ASSAY_VM)";
  if (::geteuid() != 0) GTEST_SKIP() << "only root may set the clock";
  const Nanoseconds work = scaled(300ms), limit = scaled(500ms), sane = scaled(60s);
  ASSERT_LT(sane, 1h);
  Outcome busy, asleep;
  int rounds = 0;
  {
    const StrayingClock clock;
    busy = run({.guest = "burn_cpu_ms",
                .arguments = {milliseconds(work)},
                .limits = {.cpu_time = scaled(3s), .wall_time = sane}});
    asleep = run({.guest = "sleep_forever", .limits = {.wall_time = limit}});
    rounds = clock.rounds();
  }
  EXPECT_GT(rounds, 0) << "the clock stood still";
  EXPECT_EQ(busy.letters, "AC") << busy;
  EXPECT_GE(busy.facts.cpu_total, work - scaled(3ms)) << busy;
  EXPECT_LE(busy.facts.cpu_total, 2 * work) << busy;
  EXPECT_GE(busy.facts.wall, busy.facts.cpu_total - scaled(3ms)) << busy;
  EXPECT_LE(busy.facts.wall, sane) << busy;
  EXPECT_EQ(asleep.facts.cut_off_by, CutOff::Wall) << asleep;
  EXPECT_GE(asleep.facts.wall, limit) << asleep;
  EXPECT_LE(asleep.facts.wall, sane) << asleep;
}

// The monotonic clock goes with it, and a limit of wall time is a tenth off: no more than that.
TEST_F(HostClock, ThatIsSlewedByATenthMovesATenth) {
  NEEDS_METERS();
  if (std::getenv("ASSAY_VM") == nullptr)
    GTEST_SKIP() << "slews the clock of the host: only in a machine of its own (ASSAY_VM)";
  if (::geteuid() != 0) GTEST_SKIP() << "only root may slew the clock";
  const Nanoseconds work = scaled(300ms), limit = scaled(500ms);
  const FastClock clock;
  ASSERT_TRUE(clock.is_fast());
  const Nanoseconds begin = time_by(CLOCK_MONOTONIC_RAW);
  const Outcome asleep = run({.guest = "sleep_forever", .limits = {.wall_time = limit}});
  const Nanoseconds slept = time_by(CLOCK_MONOTONIC_RAW) - begin;
  EXPECT_EQ(asleep.facts.cut_off_by, CutOff::Wall) << asleep;
  EXPECT_GE(asleep.facts.wall, limit) << asleep;
  EXPECT_GE(slept, limit * 85 / 100) << asleep;
  EXPECT_LE(asleep.facts.wall, slept * 115 / 100) << asleep;
  const Outcome busy = run({.guest = "burn_cpu_ms",
                            .arguments = {milliseconds(work)},
                            .limits = {.cpu_time = scaled(3s), .wall_time = scaled(60s)}});
  EXPECT_EQ(busy.letters, "AC") << busy;
  EXPECT_GE(busy.facts.cpu_total, work * 85 / 100) << busy;
  EXPECT_GE(busy.facts.wall, busy.facts.cpu_total * 85 / 100) << busy;
}

}  // namespace
}  // namespace assay::test
