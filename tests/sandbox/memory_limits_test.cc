#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using MemoryLimits = BoxTest;

TEST_F(MemoryLimits, AStaticArrayOverTheLimitIsMemoryLimit) {
  NEEDS_METERS();
  const Outcome outcome = run({.guest = "static_array", .limits = {.memory = 64_MiB}});
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Memory);
  EXPECT_GT(outcome.facts.memory_peak, 60_MiB) << outcome;
  EXPECT_LE(outcome.facts.memory_peak, 64_MiB) << outcome;
}

TEST_F(MemoryLimits, AStaticArrayWithinTheLimitIsNot) {
  const Outcome outcome = run({.guest = "static_array", .limits = {.memory = 300_MiB}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_GT(outcome.facts.memory_peak, 250_MiB) << outcome;
}

TEST_F(MemoryLimits, MemoryTouchedOverTheLimitIsMemoryLimit) {
  NEEDS_METERS();
  for (const std::string mib : {"17", "20", "200"}) {
    const Outcome outcome =
        run({.guest = "touch_memory_mib", .arguments = {mib}, .limits = {.memory = 16_MiB}});
    EXPECT_EQ(outcome.letters, "MLE") << outcome;
    EXPECT_GT(outcome.facts.oom_kills, 0U) << outcome;
    EXPECT_EQ(outcome.output, "");
  }
}

TEST_F(MemoryLimits, AChildThatIsKilledForMemoryMakesItMemoryLimit) {
  NEEDS_METERS();
  const Outcome outcome = run({.guest = "child_eats_memory", .limits = {.memory = 32_MiB}});
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
  EXPECT_GT(outcome.facts.oom_kills, 0U);
}

TEST_F(MemoryLimits, PeakMemoryIsWhatWasTouched) {
  const Outcome outcome = run({.guest = "touch_memory_mib", .arguments = {"40"}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_GE(outcome.facts.memory_peak, 40_MiB) << outcome;
  EXPECT_LE(outcome.facts.memory_peak, 44_MiB) << outcome;
}

TEST_F(MemoryLimits, ALargeRunDoesNotRaiseThePeakOfTheNext) {
  for (int round = 0; round < 4; ++round) {
    run({.guest = "touch_memory_mib", .arguments = {"100"}});
    const Outcome small = run({.guest = "exit_code"});
    EXPECT_LE(small.facts.memory_peak, 4_MiB) << small;
    EXPECT_EQ(small.letters, "AC");
  }
}

TEST_F(MemoryLimits, AfterAMemoryLimitTheNextRunHasAllItsMemory) {
  NEEDS_METERS();
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(run({.guest = "touch_memory_mib", .arguments = {"64"}, .limits = {.memory = 16_MiB}})
                  .letters,
              "MLE");
    const Outcome next =
        run({.guest = "touch_memory_mib", .arguments = {"64"}, .limits = {.memory = 80_MiB}});
    EXPECT_EQ(next.letters, "AC") << next;
    EXPECT_EQ(next.facts.oom_kills, 0U);
  }
}

TEST_F(MemoryLimits, FilesInAWritablePlaceAreCharged) {
  NEEDS_METERS();
  const Outcome outcome = run(
      {.guest = "write_file_forever", .arguments = {"/tmp/file"}, .limits = {.memory = 32_MiB}});
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
}

TEST_F(MemoryLimits, TheProgramFileItselfLeavesRoomForTheProgram) {
  NEEDS_METERS();  // without, the copy that becomes the program is counted as well: 2 MiB
  const Outcome outcome = run({.guest = "exit_code", .limits = {.memory = 2_MiB}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_F(MemoryLimits, AnAddressSpaceLimitRefusesWithoutKilling) {
  const Outcome outcome =
      run({.guest = "touch_memory_mib", .arguments = {"100"}, .limits = {.address_space = 50_MiB}});
  EXPECT_TRUE(ended_as(outcome, Exited{1})) << outcome;
}

TEST_F(MemoryLimits, TheStackMayGrowAsFarAsMemory) {
  const std::string deep =
      "import sys,threading\nsys.setrecursionlimit(10**6)\ndef f(n): return 0 if n==0 else "
      "1+f(n-1)\nprint(f(15000))";
  const Outcome outcome = run({.arguments = {"python3", "-c", deep}});
  EXPECT_EQ(outcome.output, "15000\n") << outcome;
}

}  // namespace
}  // namespace assay::test
