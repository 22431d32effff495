// Rows 32 to 34 and 45: time used where nobody looks, time not used, the moment of the limit, a
// starved watcher.
#include <cstdlib>

#include "os/file.h"
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using Attack32CpuEvasion = Attack;
using Attack33Idle = Attack;
using Attack34AtTheLimit = Attack;
using Attack45Starvation = Attack;

const std::vector<std::string> kEvasions = {"child", "unwaited", "orphan", "thread", "vfork",
                                            "nice",  "kernel",   "exec",   "many"};

TEST_F(Attack32CpuEvasion, EveryWayIsATimeLimit) {
  NEEDS_METERS();
  for (const std::string& kind : kEvasions) {
    const Outcome outcome =
        attack({.guest = "evade_cpu",
                .arguments = {kind, milliseconds(scaled(600ms))},
                .limits = {.cpu_time = scaled(200ms), .wall_time = scaled(20s)}});
    EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << kind << ": " << outcome;
    EXPECT_EQ(outcome.letters, "TLE") << kind << ": " << outcome;
  }
}

// The truth is what the program's own clocks say. They begin with its process, a little before the
// program, and cannot tell what its end takes. None may be told less, ever. That it is not told
// more has three tries: what the host takes from an emulated core is counted as somebody's work.
TEST_F(Attack32CpuEvasion, EveryWayIsMeasuredWithinTwoPercentOfTheTruth) {
  NEEDS_METERS();
  const Nanoseconds work = scaled(400ms);
  for (const std::string& kind : kEvasions) {
    Nanoseconds surplus = Nanoseconds::max();
    for (int i = 0; i < 3 && surplus > work / 50; ++i) {
      const Outcome outcome =
          attack({.guest = "evade_cpu",
                  .arguments = {kind, milliseconds(work)},
                  .limits = {.cpu_time = scaled(10s), .wall_time = scaled(60s)}});
      EXPECT_EQ(outcome.letters, "AC") << kind << ": " << outcome;
      const Nanoseconds truth{std::atoll(outcome.output.c_str())};
      EXPECT_GE(truth, work) << kind << ": " << outcome;
      EXPECT_GE(outcome.facts.cpu_total, truth - truth / 50) << kind << ": " << outcome;
      surplus = outcome.facts.cpu_total - truth;
    }
    EXPECT_LE(surplus, work / 50) << kind;
  }
}

// Policies that go by user time would not see it.
TEST_F(Attack32CpuEvasion, UserTimeIsNotHiddenInChildrenThatNobodyWaitsFor) {
  NEEDS_METERS();
  for (const std::string kind : {"user", "unwaited_user"}) {
    const Outcome outcome = attack({.guest = "evade_cpu",
                                    .arguments = {kind, milliseconds(scaled(200ms))},
                                    .limits = {.cpu_time = scaled(10s), .wall_time = scaled(20s)}});
    EXPECT_EQ(outcome.letters, "AC") << kind << ": " << outcome;
    EXPECT_GE(outcome.facts.cpu_user, scaled(150ms)) << kind << ": " << outcome;
    EXPECT_EQ(outcome.facts.processes_peak, kind == "user" ? 1U : 2U) << kind;
  }
}

TEST_F(Attack32CpuEvasion, WorkAfterTheEndOfTheProgramDoesNotHappen) {
  const std::string mark = random_word();
  attack({.arguments = {"sh", "-c", "(while :; do :; done) & exit 0", mark}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
}

// Of a wall limit of a hundred seconds: whoever is still there waited for that one.
const Nanoseconds kSoon = scaled(5s);

TEST_F(Attack33Idle, WhoStopsOrWaitsIsIdleLongBeforeTheWallLimit) {
  NEEDS_METERS();
  const sandbox::Limits limits{
      .cpu_time = scaled(1s), .wall_time = scaled(100s), .idle_time = scaled(200ms)};
  for (const std::string kind : {"stop", "select"}) {
    const Outcome outcome =
        attack({.guest = "evade_cpu", .arguments = {kind, "0"}, .limits = limits});
    EXPECT_EQ(outcome.letters, "ILE") << kind << ": " << outcome;
    EXPECT_LT(outcome.facts.wall, kSoon) << kind << ": " << outcome;
  }
}

// Each `sleep` is a process to make, and a millisecond of that is progress.
TEST_F(Attack33Idle, WhoWorksALittleIsNotIdleButLate) {
  NEEDS_METERS();
  const Outcome tick = attack(
      {.arguments = {"sh", "-c", "while :; do sleep 0.05; done"},
       .limits = {.cpu_time = scaled(10s), .wall_time = scaled(2s), .idle_time = scaled(1s)}});
  EXPECT_EQ(tick.facts.cut_off_by, CutOff::Wall) << tick;
  EXPECT_EQ(tick.letters, "TLE") << tick;
}

TEST_F(Attack33Idle, AReaderWhoWantsMoreThanThereIsEndsAtTheNearestLimit) {
  NEEDS_METERS();
  const std::string now_and_then = milliseconds(scaled(200ms));
  const std::vector<std::pair<Names, CutOff>> ways = {
      {{}, CutOff::Idle}, {{now_and_then}, CutOff::Idle}, {{"0"}, CutOff::Cpu}};
  for (const auto& [arguments, limit] : ways) {
    const Outcome outcome = attack(
        {.guest = "read_past_end",
         .arguments = arguments,
         .input = "all there is",
         .limits = {
             .cpu_time = scaled(300ms), .wall_time = scaled(100s), .idle_time = scaled(500ms)}});
    EXPECT_EQ(outcome.output, "end\n") << outcome;
    EXPECT_EQ(outcome.facts.cut_off_by, limit) << outcome;
    EXPECT_EQ(outcome.letters, limit == CutOff::Idle ? "ILE" : "TLE") << outcome;
    EXPECT_LT(outcome.facts.wall, kSoon) << outcome;
  }
}

// Its other end stays open and silent: there is not even an end to read.
TEST_F(Attack33Idle, AReaderOfAPipeThatNobodyEndsIsIdle) {
  NEEDS_METERS();
  const os::Pipe pipe = os::make_pipe().value();
  ASSERT_TRUE(os::write_all(pipe.write_end.get(), "first"));
  Prepared job(
      {.guest = "echo_input", .limits = {.wall_time = scaled(100s), .idle_time = scaled(200ms)}});
  job.spec.input = sandbox::Descriptor{pipe.read_end.get()};
  const auto facts = engine().run(job.spec);
  ASSERT_TRUE(facts);
  EXPECT_EQ(job.outcome.output, "first");
  EXPECT_EQ(facts->cut_off_by, CutOff::Idle);
  EXPECT_LT(facts->wall, kSoon);
}

TEST_F(Attack33Idle, ADeadlockedPairIsIdle) {
  NEEDS_METERS();
  const os::Pipe there = os::make_pipe().value();
  const os::Pipe back = os::make_pipe().value();
  const Job reader{.guest = "answer_peer",
                   .limits = {.wall_time = scaled(100s), .idle_time = scaled(200ms)}};
  Prepared one(reader);
  Prepared two(reader);
  one.spec.input = sandbox::Descriptor{back.read_end.get()};
  one.spec.output = sandbox::Descriptor{there.write_end.get()};
  two.spec.input = sandbox::Descriptor{there.read_end.get()};
  two.spec.output = sandbox::Descriptor{back.write_end.get()};
  const std::vector specs{one.spec, two.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts);
  for (const sandbox::Facts& one_of_both : *facts) {
    EXPECT_EQ(letters_of(one_of_both), "ILE");
    EXPECT_LT(one_of_both.wall, kSoon);
  }
}

// The table asks for a thousand; a nightly run has the time.
int rounds(int otherwise) {
  const char* asked = std::getenv("ASSAY_ATTACK_ROUNDS");
  return asked != nullptr && *asked != '\0' ? std::atoi(asked) : otherwise;
}

TEST_F(Attack34AtTheLimit, TheVerdictAgreesWithTheTimeEveryTime) {
  NEEDS_METERS();
  const Nanoseconds limit = scaled(10ms);
  for (int round = 0, last = rounds(200); round < last; ++round) {
    const Nanoseconds work = limit + scaled(1ms) * (round % 3 - 1);
    const Outcome outcome = run(
        {.guest = "burn_cpu_ms", .arguments = {milliseconds(work)}, .limits = {.cpu_time = limit}});
    ASSERT_TRUE(outcome.letters == "TLE" || outcome.letters == "AC") << outcome;
    EXPECT_EQ(outcome.letters == "TLE", outcome.facts.cpu_total > limit) << outcome;
  }
}

// Wall time is its own but for what it waited for a cpu.
TEST_F(Attack34AtTheLimit, EndingWhileBeingKilledIsNoError) {
  const Nanoseconds limit = scaled(20ms);
  for (int round = 0, last = rounds(100); round < last; ++round) {
    const double seconds = std::chrono::duration<double>(limit - 1ms * (round % 3)).count();
    const Outcome outcome =
        run({.arguments = {"sleep", std::to_string(seconds)}, .limits = {.wall_time = limit}});
    ASSERT_TRUE(outcome.letters == "AC" || outcome.letters == "TLE") << outcome;
    const Nanoseconds own = outcome.facts.wall - outcome.facts.starved;
    EXPECT_EQ(outcome.letters == "TLE", own > limit) << own.count() << outcome;
  }
}

TEST_F(Attack45Starvation, TheWatcherStillEndsABusyCrowd) {
  const Outcome outcome = attack(
      {.guest = "starve_monitor", .limits = {.cpu_time = scaled(500ms), .wall_time = scaled(20s)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
  EXPECT_LT(outcome.facts.cpu_total, scaled(2s)) << outcome;
  const Outcome refused = attack({.guest = "use_forbidden_calls"});
  for (const std::string call : {"real time", "affinity"})
    EXPECT_EQ(result_of(refused, call), "EPERM") << refused;
  EXPECT_NE(result_of(refused, "nice"), "done") << refused;
}

}  // namespace
}  // namespace assay::test
