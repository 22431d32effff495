// A run is a tree of processes: all of it is limited, counted and gone when run() returns.
#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using ProcessTrees = BoxTest;

TEST_F(ProcessTrees, AForkBombEnds) {
  for (const bool exec : {false, true}) {
    Job bomb{.guest = "fork_bomb",
             .limits = {.cpu_time = scaled(500ms), .wall_time = scaled(5s), .processes = 30}};
    if (exec) bomb.arguments = {"exec"};
    const Outcome outcome = run(bomb);
    EXPECT_EQ(outcome.letters, "TLE") << outcome;
    EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
  }
}

TEST_F(ProcessTrees, AThreadBombEnds) {
  const Outcome outcome =
      run({.guest = "thread_bomb",
           .limits = {.cpu_time = scaled(500ms), .wall_time = scaled(5s), .processes = 30}});
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(ProcessTrees, AForkBombIsCountedAndRefused) {
  NEEDS_METERS();
  const Outcome outcome =
      run({.guest = "fork_bomb", .limits = {.cpu_time = scaled(300ms), .processes = 20}});
  EXPECT_EQ(outcome.facts.processes_peak, 20U) << outcome;
  EXPECT_GT(outcome.facts.processes_refused, 0U);
}

TEST_F(ProcessTrees, ADaemonIsDeadAndItsTimeCounted) {
  const std::string mark = random_word();
  const Outcome outcome =
      run({.guest = "daemonize_grandchild", .arguments = {milliseconds(scaled(100ms)), mark}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
  EXPECT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  NEEDS_METERS();
  EXPECT_GE(outcome.facts.cpu_total, scaled(100ms)) << outcome;
}

TEST_F(ProcessTrees, ADaemonsTimeCountsAgainstTheLimit) {
  NEEDS_METERS();
  const Outcome outcome = run({.guest = "daemonize_grandchild",
                               .arguments = {milliseconds(scaled(3s)), "mark"},
                               .limits = {.cpu_time = scaled(200ms)}});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
}

TEST_F(ProcessTrees, ManyChildrenAreDeadWhenTheParentIsKilled) {
  const std::string mark = random_word();
  const Outcome outcome = run(
      {.guest = "hold_mark", .arguments = {mark, "20"}, .limits = {.wall_time = scaled(200ms)}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Wall) << outcome;
}

TEST_F(ProcessTrees, OutputOfADaemonUpToTheEndOfTheProgramIsKept) {
  const Outcome outcome =
      run({.arguments = {"sh", "-c",
                         "(echo child; while :; do sleep 1; done) & sleep 0.2; echo parent"}});
  EXPECT_EQ(outcome.output, "child\nparent\n") << outcome;
}

TEST_F(ProcessTrees, TheExitCodeIsThatOfTheProgramAndNotOfALaterOrphan) {
  for (int round = 0; round < 20; ++round) {
    const Outcome outcome = run({.arguments = {"sh", "-c", "(exit 3) & (exit 4) & exit 5"}});
    EXPECT_TRUE(ended_as(outcome, Exited{5})) << outcome;
  }
}

}  // namespace
}  // namespace assay::test
