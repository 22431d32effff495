// Rows 32 to 35 and 45: time used where nobody looks, time not used, the moment of the limit,
// clocks, a starved watcher.
#include <thread>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using Attack32CpuEvasion = Attack;
using Attack33Idle = Attack;
using Attack34AtTheLimit = Attack;
using Attack35Clocks = Attack;
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

TEST_F(Attack32CpuEvasion, EveryWayIsMeasured) {
  NEEDS_METERS();
  for (const std::string& kind : kEvasions) {
    const Outcome outcome = attack({.guest = "evade_cpu",
                                    .arguments = {kind, milliseconds(scaled(200ms))},
                                    .limits = {.cpu_time = scaled(10s), .wall_time = scaled(20s)}});
    EXPECT_EQ(outcome.letters, "AC") << kind << ": " << outcome;
    EXPECT_GE(outcome.facts.cpu_total, scaled(196ms)) << kind << ": " << outcome;
    // Making fifty processes is work of its own.
    EXPECT_TRUE(kind == "many" || outcome.facts.cpu_total <= scaled(290ms))
        << kind << ": " << outcome;
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

TEST_F(Attack33Idle, WhoStopsOrWaitsIsIdleLongBeforeTheWallLimit) {
  NEEDS_METERS();
  const sandbox::Limits limits{
      .cpu_time = scaled(1s), .wall_time = scaled(100s), .idle_time = scaled(200ms)};
  for (const std::string kind : {"stop", "select"}) {
    const Outcome outcome =
        attack({.guest = "evade_cpu", .arguments = {kind, "0"}, .limits = limits});
    EXPECT_EQ(outcome.letters, "ILE") << kind << ": " << outcome;
  }
  const Outcome tick = attack({.arguments = {"sh", "-c", "while :; do sleep 0.05; done"},
                               .limits = {.wall_time = scaled(2s), .idle_time = scaled(1s)}});
  EXPECT_NE(tick.letters, "AC") << tick;
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
  EXPECT_EQ(letters_of(facts->at(0)), "ILE");
  EXPECT_EQ(letters_of(facts->at(1)), "ILE");
}

TEST_F(Attack34AtTheLimit, TheVerdictAgreesWithTheTimeEveryTime) {
  NEEDS_METERS();
  const Nanoseconds limit = scaled(10ms);
  for (int round = 0; round < 200; ++round) {
    const Nanoseconds work = limit + scaled(1ms) * (round % 3 - 1);
    const Outcome outcome = run(
        {.guest = "burn_cpu_ms", .arguments = {milliseconds(work)}, .limits = {.cpu_time = limit}});
    ASSERT_TRUE(outcome.letters == "TLE" || outcome.letters == "AC") << outcome;
    EXPECT_EQ(outcome.letters == "TLE", outcome.facts.cpu_total > limit) << outcome;
  }
}

TEST_F(Attack34AtTheLimit, EndingWhileBeingKilledIsNoError) {
  for (int round = 0; round < 100; ++round) {
    const Outcome outcome = run({.arguments = {"sleep", "0.02"}, .limits = {.wall_time = 20ms}});
    EXPECT_TRUE(outcome.letters == "AC" || outcome.letters == "TLE") << outcome;
  }
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
