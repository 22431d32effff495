// Limits that are counted: processes, descriptors, bytes and inodes of writable places.
#include <sys/resource.h>

#include <sstream>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using CountLimits = BoxTest;

TEST_F(CountLimits, ThreadsBeyondTheLimitAreRefused) {
  NEEDS_METERS();
  const Outcome outcome =
      run({.guest = "start_threads", .arguments = {"100"}, .limits = {.processes = 10}});
  EXPECT_EQ(outcome.output, "9\n") << outcome;
  EXPECT_EQ(outcome.facts.processes_peak, 10U);
  EXPECT_GT(outcome.facts.processes_refused, 0U);
}

TEST_F(CountLimits, ThreadsUpToTheLimitAreNot) {
  NEEDS_METERS();
  const Outcome outcome =
      run({.guest = "start_threads", .arguments = {"9"}, .limits = {.processes = 10}});
  EXPECT_EQ(outcome.output, "9\n") << outcome;
  EXPECT_EQ(outcome.facts.processes_refused, 0U);
}

TEST_F(CountLimits, ThePeakOfOneRunIsNotThatOfTheNext) {
  NEEDS_METERS();
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(run({.guest = "start_threads", .arguments = {"20"}}).facts.processes_peak, 21U);
    EXPECT_EQ(run({.guest = "exit_code"}).facts.processes_peak, 1U);
  }
}

TEST_F(CountLimits, OneProcessIsEnoughForOneProgram) {
  EXPECT_EQ(run({.guest = "exit_code", .limits = {.processes = 1}}).letters, "AC");
}

TEST_F(CountLimits, DescriptorsEndAtTheLimit) {
  const Outcome outcome = run({.guest = "open_many_files", .limits = {.open_files = 20}});
  EXPECT_EQ(outcome.output, "20 EMFILE\n") << outcome;
}

TEST_F(CountLimits, AWritablePlaceIsFullAtItsSize) {
  const Outcome outcome = run({.guest = "write_file_forever",
                               .arguments = {"/tmp/file", "patient"},
                               .files_out = {"/tmp/file"},
                               .limits = {.output = 64_MiB, .disk = 4_MiB}});
  EXPECT_EQ(outcome.files.at("/tmp/file").size(), (4_MiB).count) << outcome;
}

TEST_F(CountLimits, AWritablePlaceHasSoManyInodes) {
  const Outcome outcome =
      run({.guest = "create_files_forever", .arguments = {"/tmp"}, .limits = {.inodes = 50}});
  EXPECT_EQ(outcome.output, "49 ENOSPC\n") << outcome;  // its root is one of them
}

TEST_F(CountLimits, TheSizeOfPlacesIsForOneRunOnly) {
  run({.guest = "exit_code", .limits = {.disk = 1_MiB, .inodes = 20}});
  const Outcome next = run({.arguments = {"sh", "-c",
                                          "head -c 8000000 /dev/zero > /tmp/f && for i in $(seq "
                                          "99); do : > /tmp/$i || exit 1; done"}});
  EXPECT_EQ(next.letters, "AC") << next;
}

TEST_F(CountLimits, ResourceLimitsAreThoseOfTheSpec) {
  const Outcome outcome = run(
      {.guest = "show_limits",
       .limits = {
           .cpu_time = 3s, .memory = 64_MiB, .stack = 8_MiB, .output = 1_MiB, .open_files = 33}});
  std::istringstream lines(outcome.output);
  std::map<int, long long> soft;
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    long long hard = 0;
    lines >> resource >> soft[resource] >> hard;
  }
  EXPECT_EQ(soft[RLIMIT_STACK], 8 << 20) << outcome;
  EXPECT_EQ(soft[RLIMIT_NOFILE], 33);
  EXPECT_EQ(soft[RLIMIT_FSIZE], (1 << 20) + 1);
  EXPECT_EQ(soft[RLIMIT_MSGQUEUE], 0);
  EXPECT_EQ(soft[RLIMIT_SIGPENDING], 256);
  EXPECT_GT(soft[RLIMIT_CPU], 3);
  EXPECT_FALSE(outcome.output.contains("signal")) << outcome;
  EXPECT_TRUE(outcome.output.contains("umask 22\n")) << outcome;
}

}  // namespace
}  // namespace assay::test
