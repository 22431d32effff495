// A program that a busy machine gives no cpu is not idle.
#include <pthread.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <thread>

#include "os/cores.h"
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using Starved = BoxTest;

// Keeps one core for itself: the kernel leaves all ordinary programs together 50 ms of every second
// there.
class Hog {
 public:
  explicit Hog(unsigned core) : thread_([this, core] { spin(core); }) {
    while (!decided_.load())
      std::this_thread::yield();
  }
  ~Hog() {
    over_.store(true);
    thread_.join();
  }
  [[nodiscard]] bool has_the_core() const { return has_it_.load(); }

 private:
  void spin(unsigned core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    const sched_param first{.sched_priority = 1};
    has_it_.store(::pthread_setaffinity_np(::pthread_self(), sizeof one, &one) == 0 &&
                  ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &first) == 0);
    decided_.store(true);
    while (has_it_.load() && !over_.load()) {
    }
  }

  std::atomic<bool> decided_ = false;
  std::atomic<bool> has_it_ = false;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// What the kernel leaves to others in a second beside a real-time thread is 50 ms, and two such
// pieces may follow one another: what takes longer must wait.
constexpr auto kMoreThanLeft = 150ms;

// The first thread waits for one that works: its own state says nothing.
TEST_F(Starved, AProgramThatGetsNoCpuIsNotIdle) {
  NEEDS_METERS();
  Prepared worker({.guest = "burn_cpu_ms",
                   .arguments = {milliseconds(scaled(kMoreThanLeft)), "2"},
                   .limits = {.wall_time = scaled(60s), .idle_time = scaled(200ms)}});
  worker.spec.cores = {0};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const auto facts = engine().run(worker.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "AC");
  EXPECT_EQ(facts->cut_off_by, CutOff::None);
  EXPECT_GT(facts->wall, facts->cpu_total * 2) << "it was not starved: this shows nothing";
}

TEST_F(Starved, TimeWithoutACpuIsNotTakenFromTheWallLimit) {
  NEEDS_METERS();
  Prepared worker({.guest = "burn_cpu_ms",
                   .arguments = {milliseconds(scaled(kMoreThanLeft)), "1"},
                   .limits = {.wall_time = scaled(600ms)}});
  worker.spec.cores = {0};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const auto facts = engine().run(worker.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "AC");
  EXPECT_GT(facts->wall, scaled(600ms)) << "it was not starved: this shows nothing";
  EXPECT_GT(facts->starved, facts->wall - scaled(600ms));
  EXPECT_LE(facts->starved, facts->wall - facts->cpu_total);
}

// It has a core, and nothing to do until the other has.
TEST_F(Starved, WhoeverWaitsForOneThatGetsNoCpuIsNotLateEither) {
  NEEDS_METERS();
  os::Pipe pipe = os::make_pipe().value();
  Prepared worker(
      {.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(kMoreThanLeft)), "1"}});
  Prepared reader({.arguments = {"/bin/cat"}, .limits = {.wall_time = scaled(600ms)}});
  worker.spec.cores = {0};
  worker.spec.output = sandbox::Handed{&pipe.write_end};
  reader.spec.input = sandbox::Handed{&pipe.read_end};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const std::vector<sandbox::Spec> both{worker.spec, reader.spec};
  const auto facts = engine().run_together(both);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(facts->at(1)), "AC");
  EXPECT_GT(facts->at(1).wall, scaled(600ms)) << "nobody was starved: this shows nothing";
}

// Only the watcher gets no cpu. When it looks at last, both are late: one had to be ended first,
// and the other would have ended with it. An interactor once was called the judge's failure for
// that.
TEST_F(Starved, AWatcherThatOversleptEndsWhoWasDueFirst) {
  NEEDS_METERS();
  if (os::usable_cores().size() < 2) GTEST_SKIP() << "the watcher needs a core of its own";
  bool overslept = false;
  for (int round = 0; round < 10 && !overslept; ++round) {
    os::Pipe pipe = os::make_pipe().value();
    Prepared silent({.guest = "sleep_forever", .limits = {.idle_time = scaled(200ms)}});
    Prepared reader({.arguments = {"/bin/cat"}, .limits = {.wall_time = scaled(400ms)}});
    silent.spec.cores = reader.spec.cores = {1};
    silent.spec.output = sandbox::Handed{&pipe.write_end};
    reader.spec.input = sandbox::Handed{&pipe.read_end};
    const std::vector<sandbox::Spec> both{silent.spec, reader.spec};
    const std::array<unsigned, 1> watchers{0};
    const Hog hog(0);
    if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
    const os::Stay stay(watchers);
    const auto facts = engine().run_together(both);
    ASSERT_TRUE(facts) << describe(facts.error());
    silent.finish(facts->at(0));
    reader.finish(facts->at(1));
    EXPECT_EQ(silent.outcome.letters, "ILE") << silent.outcome;
    EXPECT_EQ(reader.outcome.letters, "AC")
        << reader.outcome << "starved " << facts->at(1).starved << " beside " << silent.outcome;
    overslept = facts->at(1).wall > scaled(400ms);
  }
  if (!overslept) GTEST_SKIP() << "nobody overslept in ten rounds: this shows nothing";
}

// What the watcher overslept is on nobody's clock, and yet nobody can sleep behind it.
TEST_F(Starved, ASleeperGainsNothingByAWatcherThatOversleeps) {
  NEEDS_METERS();
  if (os::usable_cores().size() < 2) GTEST_SKIP() << "the watcher needs a core of its own";
  Prepared sleeper({.guest = "sleep_forever", .limits = {.wall_time = scaled(200ms)}});
  sleeper.spec.cores = {1};
  const std::array<unsigned, 1> watchers{0};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const os::Stay stay(watchers);
  const auto facts = engine().run(sleeper.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->cut_off_by, CutOff::Wall);
  EXPECT_EQ(letters_of(*facts), "TLE");
}

// The watcher rests from its streams now and then. That it comes back late is nobody's time.
TEST_F(Starved, WhoeverPrintsAndSleepsGainsNothingEither) {
  NEEDS_METERS();
  if (os::usable_cores().size() < 2) GTEST_SKIP() << "the watcher needs a core of its own";
  std::string text;
  Prepared sleeper({.guest = "print_and_sleep", .limits = {.wall_time = scaled(2s)}});
  sleeper.spec.cores = {1};
  sleeper.spec.output = sandbox::Collect{.text = &text};
  const std::array<unsigned, 1> watchers{0};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const os::Stay stay(watchers);
  const auto facts = engine().run(sleeper.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->cut_off_by, CutOff::Wall);
  EXPECT_LT(facts->starved, scaled(2s)) << "it is asleep for a second at a time, once";
}

// It has all the cores there are, and would have more if there were fewer of it.
TEST_F(Starved, ThreadsThatAreInEachOthersWayGainNothing) {
  NEEDS_METERS();
  Prepared crowd({.guest = "burn_cpu_ms",
                  .arguments = {milliseconds(scaled(20s)), "16"},
                  .limits = {.cpu_time = scaled(60s), .wall_time = scaled(200ms)}});
  crowd.spec.cores = {0};
  const auto facts = engine().run(crowd.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->cut_off_by, CutOff::Wall);
  EXPECT_EQ(letters_of(*facts), "TLE");
  EXPECT_GE(facts->wall - facts->starved, scaled(200ms));
  // Its clocks are two: what it ran may be a little more than what passed.
  EXPECT_LE(facts->starved, std::max(facts->wall - facts->cpu_total, Nanoseconds{}));
}

// They waited for each other only: there is nothing that a sleep could be paid with.
TEST_F(Starved, WhoeverSleepsAfterACrowdOfItsThreadsGainsNothing) {
  NEEDS_METERS();
  Prepared crowd({.guest = "crowd_then_sleep",
                  .arguments = {"30", milliseconds(scaled(450ms)), milliseconds(scaled(500ms))},
                  .limits = {.cpu_time = scaled(60s), .wall_time = scaled(600ms)}});
  crowd.spec.cores = {0};
  const auto facts = engine().run(crowd.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->cut_off_by, CutOff::Wall);
  EXPECT_EQ(letters_of(*facts), "TLE");
}

TEST_F(Starved, WhoeverSleepsBehindAVforkIsLateAtItsWallLimit) {
  const Outcome outcome = run({.guest = "vfork_and_sleep", .limits = {.wall_time = scaled(300ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Wall) << outcome;
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
  EXPECT_LT(outcome.facts.wall, scaled(1500ms)) << outcome;  // not ten times the limit
}

TEST_F(Starved, WhoeverSleepsBehindAVforkIsIdle) {
  NEEDS_METERS();
  const Outcome outcome = run({.guest = "vfork_and_sleep",
                               .limits = {.wall_time = scaled(20s), .idle_time = scaled(300ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Idle) << outcome;
  EXPECT_EQ(outcome.letters, "ILE") << outcome;
}

TEST_F(Starved, ASleeperIsIdleOnABusyCoreToo) {
  NEEDS_METERS();
  Prepared sleeper(
      {.guest = "sleep_forever", .limits = {.wall_time = scaled(60s), .idle_time = scaled(300ms)}});
  sleeper.spec.cores = {0};
  const Hog hog(0);
  if (!hog.has_the_core()) GTEST_SKIP() << "a core can be taken only by root";
  const auto facts = engine().run(sleeper.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "ILE");
}

}  // namespace
}  // namespace assay::test
