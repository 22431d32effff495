#include <algorithm>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using TimeLimits = BoxTest;

TEST_F(TimeLimits, AnEndlessLoopIsCutOffByCpuTimeAtAnyLimit) {
  NEEDS_METERS();
  for (const auto limit : {50ms, 350ms, 999ms, 1999ms}) {
    const Outcome outcome = run(
        {.guest = "spin_forever", .limits = {.cpu_time = scaled(limit), .wall_time = scaled(60s)}});
    EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
    EXPECT_EQ(outcome.letters, "TLE") << outcome;
    EXPECT_GT(outcome.facts.cpu_total, scaled(limit)) << outcome;
  }
}

TEST_F(TimeLimits, ThreadsCountTogether) {
  const Outcome outcome = run({.guest = "burn_cpu_ms",
                               .arguments = {milliseconds(scaled(200ms)), "4"},
                               .limits = {.cpu_time = scaled(400ms), .wall_time = scaled(60s)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
}

TEST_F(TimeLimits, AProgramWithinItsLimitIsLeftAlone) {
  const Outcome outcome = run({.guest = "burn_cpu_ms",
                               .arguments = {milliseconds(scaled(100ms)), "2"},
                               .limits = {.cpu_time = scaled(400ms), .wall_time = scaled(60s)}});
  EXPECT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

// The meter and the program's own clock see the same work: no set-up of ours is charged, and
// nothing is lost.
TEST_F(TimeLimits, ReportedCpuTimeIsWhatTheProgramItselfMeasures) {
  NEEDS_METERS();
  for (const std::string threads : {"1", "2"}) {
    const Outcome outcome =
        run({.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(200ms)), threads}});
    ASSERT_EQ(outcome.letters, "AC") << outcome;
    const Nanoseconds truth(std::stoll(outcome.output));
    EXPECT_GE(outcome.facts.cpu_total, truth - truth / 50) << outcome;
    EXPECT_LE(outcome.facts.cpu_total, truth + truth / 50 + scaled(3ms)) << outcome;
    EXPECT_EQ(outcome.facts.cpu_user + outcome.facts.cpu_system, outcome.facts.cpu_total);
  }
}

TEST_F(TimeLimits, AShortProgramIsChargedForItselfAlone) {
  NEEDS_METERS();
  Nanoseconds least = 1h;
  for (int round = 0; round < 5; ++round)
    least = std::min(least, run({.guest = "exit_code"}).facts.cpu_total);
  EXPECT_GT(least, 0ms);
  EXPECT_LT(least, scaled(5ms));
}

TEST_F(TimeLimits, ASleeperIsCutOffByWallTime) {
  const Outcome outcome = run({.guest = "sleep_forever", .limits = {.wall_time = scaled(200ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Wall) << outcome;
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
  EXPECT_GE(outcome.facts.wall, scaled(200ms));
}

TEST_F(TimeLimits, ASleeperIsIdle) {
  NEEDS_METERS();
  const Outcome outcome = run(
      {.guest = "sleep_forever", .limits = {.wall_time = scaled(60s), .idle_time = scaled(200ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Idle) << outcome;
  EXPECT_EQ(outcome.letters, "ILE") << outcome;
}

TEST_F(TimeLimits, AWorkerIsNotIdle) {
  NEEDS_METERS();
  const Outcome outcome = run(
      {.guest = "burn_cpu_ms",
       .arguments = {milliseconds(scaled(600ms))},
       .limits = {.cpu_time = scaled(30s), .wall_time = scaled(60s), .idle_time = scaled(300ms)}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_F(TimeLimits, AReaderWithoutInputIsIdle) {
  NEEDS_METERS();
  const os::Pipe silent = os::make_pipe().value();
  Prepared reader(
      {.guest = "echo_input", .limits = {.wall_time = scaled(60s), .idle_time = scaled(200ms)}});
  reader.spec.input = sandbox::Descriptor{silent.read_end.get()};
  const auto facts = engine().run(reader.spec);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(letters_of(*facts), "ILE");
}

TEST_F(TimeLimits, CutOffAndReportedTimeAgreeAroundTheLimit) {
  NEEDS_METERS();
  const Nanoseconds limit = scaled(20ms);
  for (int round = 0; round < 60; ++round) {
    const Nanoseconds work = limit + scaled(1ms) * (round % 5 - 2);
    const Outcome outcome = run(
        {.guest = "burn_cpu_ms", .arguments = {milliseconds(work)}, .limits = {.cpu_time = limit}});
    EXPECT_EQ(outcome.letters, outcome.facts.cpu_total > limit ? "TLE" : "AC") << outcome;
  }
}

TEST_F(TimeLimits, WithoutLimitsTheProfilesHold) {
  const Outcome outcome = run({.guest = "exit_code"});
  EXPECT_EQ(outcome.facts.limits.cpu_time, Nanoseconds(10s));
  EXPECT_EQ(outcome.facts.limits.wall_time, Nanoseconds(30s));
  EXPECT_EQ(outcome.facts.limits.memory, 512_MiB);
  EXPECT_EQ(outcome.facts.limits.processes, 64);
  EXPECT_EQ(outcome.facts.limits.idle_time, std::nullopt);
}

TEST_F(TimeLimits, AProgramStaysOnItsCores) {
  const Outcome outcome = run({.arguments = {"nproc"}, .cores = {0}});
  EXPECT_EQ(outcome.output, "1\n") << outcome;
}

}  // namespace
}  // namespace assay::test
