// Limits of a run: F05 of seed 001, C-3 and C-7 of the checklist.
#include "judge/language_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "judge/language_set.h"

namespace assay::judge {
namespace {

using namespace std::chrono_literals;

TEST(Limits, OfTheRequestComeBeforeTheProblemsAndThoseBeforeTheProfiles) {
  const LimitSources sources{
      .request = {.cpu_time = 1s},
      .problem = {.cpu_time = 2s, .memory = 64_MiB},
      .profile = {.cpu_time = 3s, .memory = 512_MiB, .output = 1_MiB, .processes = 7}};
  const sandbox::Limits limits = limits_for({}, sources).enforced;
  EXPECT_EQ(limits.cpu_time, 1s);
  EXPECT_EQ(limits.memory, 64_MiB);
  EXPECT_EQ(limits.output, 1_MiB);
  EXPECT_EQ(limits.processes, 7U);
}

TEST(Limits, AreMultipliedAsSeed001Says) {
  const Language slow{.memory = {.multiplier = {1500}}, .time = {.multiplier = {2000}}};
  const sandbox::Limits limits = limits_for(slow, {.problem = {.cpu_time = 1000ms,
                                                               .wall_time = 3s,
                                                               .memory = 256_MiB,
                                                               .stack = 8_MiB,
                                                               .output = 1_MiB,
                                                               .processes = 32}})
                                     .enforced;
  EXPECT_EQ(limits.cpu_time, 2000ms);
  EXPECT_EQ(limits.wall_time, 6s);
  EXPECT_EQ(limits.memory, 384_MiB);
  EXPECT_EQ(limits.stack, 8_MiB);
  EXPECT_EQ(limits.output, 1_MiB);
  EXPECT_EQ(limits.processes, 32U);
}

TEST(Limits, AreMultipliedExactlyAndRoundedUp) {
  EXPECT_EQ(times(Nanoseconds(1s), Factor{1100}), 1100ms);
  EXPECT_EQ(times(1ns, Factor{1001}), 2ns);
  EXPECT_EQ(times(Bytes{10}, Factor{1050}), Bytes{11});
  EXPECT_EQ(times(Nanoseconds::max(), Factor{2000}), Nanoseconds::max());
  EXPECT_EQ(times(Bytes{~0ULL}, Factor{2000}), Bytes{~0ULL});
}

TEST(Limits, OfWallTimeFollowFromTheCpuLimitWhereNobodySaidThem) {
  const Language language{.time = {.multiplier = {2000}, .wall_factor = {3000}, .wall_extra = 1s}};
  const LimitSources sources{.problem = {.cpu_time = 1s}, .profile = {.wall_time = 30s}};
  EXPECT_EQ(limits_for(language, sources).enforced.wall_time, 7s);
  EXPECT_EQ(limits_for({}, sources).enforced.wall_time, 2500ms);
}

TEST(Limits, OfWallTimeAreTheProfilesWithoutACpuLimit) {
  EXPECT_EQ(limits_for({}, {.profile = {.wall_time = 30s}}).enforced.wall_time, 30s);
  EXPECT_EQ(limits_for({}, {}).enforced.wall_time, std::nullopt);
}

TEST(Limits, LeaveRoomForTheRuntimeItself) {
  const Language java{.memory = {.model = MemoryModel::Managed, .overhead = 100_MiB},
                      .more_processes = 20};
  const RunLimits limits = limits_for(java, {.problem = {.memory = 256_MiB, .processes = 1}});
  EXPECT_EQ(limits.memory, 256_MiB);
  EXPECT_EQ(limits.enforced.memory, 356_MiB);
  EXPECT_EQ(limits.enforced.processes, 21U);
}

TEST(Limits, OfTheAddressSpaceAreNeverForAManagedRuntime) {
  const LimitSources sources{.problem = {.address_space = 1_GiB}};
  EXPECT_EQ(limits_for({}, sources).enforced.address_space, 1_GiB);
  const Language managed{.memory = {.model = MemoryModel::Managed}};
  EXPECT_EQ(limits_for(managed, sources).enforced.address_space, std::nullopt);
}

TEST(OutOfMemory, IsWhatTheRuntimeSaysInItsOwnWay) {
  const Language node{
      .memory = {.exhausted = {{.signal = 6, .errors = "heap out of memory"}, {.exit_code = 3}}}};
  const sandbox::Facts aborted{.end = sandbox::Signaled{6}};
  EXPECT_TRUE(ran_out_of_memory(node, aborted, "FATAL: JavaScript heap out of memory\n"));
  EXPECT_FALSE(ran_out_of_memory(node, aborted, "assertion failed"));
  EXPECT_TRUE(ran_out_of_memory(node, {.end = sandbox::Exited{3}}, ""));
  EXPECT_FALSE(ran_out_of_memory(node, {.end = sandbox::Exited{1}}, "heap out of memory"));
  EXPECT_FALSE(ran_out_of_memory({}, aborted, ""));
}

// Any program may exit with 3: only the virtual machine's own word makes it its memory.
TEST(Limits, AnExitCodeAloneIsNoExhaustionOfAVirtualMachine) {
  const LanguageSet set = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  for (const char* id : {"java", "kotlin"}) {
    const Language& language = **set.find(id);
    const sandbox::Facts facts{.end = sandbox::Exited{3}};
    EXPECT_FALSE(ran_out_of_memory(language, facts, "")) << id;
    EXPECT_FALSE(ran_out_of_memory(language, facts, "out of coffee")) << id;
    EXPECT_TRUE(ran_out_of_memory(
        language, facts, "Terminating due to java.lang.OutOfMemoryError: Java heap space\n"))
        << id;
    EXPECT_NE(std::ranges::find(language.run.argv, "-XX:+DisplayVMOutputToStderr"),
              language.run.argv.end())
        << id;
  }
}

}  // namespace
}  // namespace assay::judge
