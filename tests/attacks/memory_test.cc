// Rows 30 and 31: every kind of memory counts, and only the offender dies.
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "os/file.h"
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack31Neighbours = Attack;

const Names kKinds = {"private", "shared", "populate", "overcommit", "swap", "huge",
                      "memfd",   "tmpfs",  "shm",      "unlinked",   "sysv", "stack"};

// What the host still keeps for the boxes of an engine.
Bytes kept_for(const std::string& instance) {
  std::uint64_t most = 0;
  for (const std::string& cgroup : cgroups_of(instance))
    for (const std::string file : {"/memory.current", "/memory.usage_in_bytes"})
      most = std::max<std::uint64_t>(
          most, std::strtoull(os::read_whole(cgroup + file).value_or("").c_str(), nullptr, 10));
  return Bytes{most};
}

class Attack30Memory : public Attack {
 protected:
  // A box whose ipc namespace was used is given up, which takes a moment.
  bool is_given_back() {
    for (int tries = 0; tries < 500; ++tries) {
      EXPECT_TRUE(engine().await_clean());
      if (kept_for(engine().instance()) <= 16_MiB) return true;
      std::this_thread::sleep_for(scaled(10ms));
    }
    return false;
  }
};

TEST_F(Attack30Memory, EveryKindOverTheLimitIsMemoryLimit) {
  NEEDS_METERS();
  for (const std::string& kind : kKinds)
    for (const std::string mib : {"33", "48"}) {
      const Outcome outcome =
          attack({.guest = "eat_memory", .arguments = {kind, mib}, .limits = {.memory = 32_MiB}});
      EXPECT_EQ(outcome.letters, "MLE") << kind << ": " << outcome;
      EXPECT_LE(outcome.facts.memory_peak, 32_MiB) << kind << ": " << outcome;
      EXPECT_FALSE(outcome.output.contains("eaten")) << kind;
      expect_unharmed();
      EXPECT_TRUE(is_given_back()) << kind;
    }
}

// It is thrown away when there is no more room: nobody is killed, and no more is kept than that.
TEST_F(Attack30Memory, FilesThatTheKernelKeepsForAReaderStayWithinTheLimit) {
  NEEDS_METERS();
  const Outcome outcome =
      attack({.guest = "eat_memory",
              .arguments = {"cache", "128"},
              .limits = {.cpu_time = scaled(20s), .wall_time = scaled(60s), .memory = 16_MiB}});
  EXPECT_EQ(outcome.output, "eaten\n") << outcome;
  EXPECT_LE(outcome.facts.memory_peak, 16_MiB) << outcome;
  expect_unharmed();
}

// What the kernel keeps for a program, which is in no page of it.
TEST_F(Attack30Memory, TheKernelsOwnIsCountedOrRefused) {
  NEEDS_METERS();
  for (const std::string kind : {"epoll", "dentries"}) {
    const Outcome outcome = attack({.guest = "eat_memory",
                                    .arguments = {kind, "64"},
                                    .limits = {.memory = 8_MiB, .open_files = 4096}});
    const bool was_refused = outcome.output == "EMFILE\n" || outcome.output == "ENOSPC\n" ||
                             outcome.output == "ENOMEM\n";
    EXPECT_TRUE(outcome.letters == "MLE" || was_refused) << kind << ": " << outcome;
    EXPECT_LE(outcome.facts.memory_peak, 8_MiB) << kind << ": " << outcome;
    EXPECT_FALSE(outcome.output.contains("eaten")) << kind << ": " << outcome;
    expect_unharmed();
  }
}

// It is thrown away when there is no more room, so nobody is killed; but no more is kept than that.
TEST_F(Attack30Memory, NamesThatTheKernelRemembersStayWithinTheLimit) {
  NEEDS_METERS();
  const Outcome outcome =
      attack({.guest = "eat_memory",
              .arguments = {"absent", std::getenv("ASSAY_VM") == nullptr ? "64" : "24"},
              .limits = {.cpu_time = scaled(20s), .wall_time = scaled(60s), .memory = 8_MiB}});
  EXPECT_TRUE(outcome.letters == "MLE" || outcome.output == "eaten\n") << outcome;
  EXPECT_LE(outcome.facts.memory_peak, 8_MiB) << outcome;
  expect_unharmed();
}

// Each process is below the limit, all together are not, and the one that is left waits for ever.
TEST_F(Attack30Memory, ATreeOverTheLimitIsMemoryLimitAndNotTime) {
  NEEDS_METERS();
  const Outcome outcome = attack({.guest = "eat_memory",
                                  .arguments = {"fork", "48"},
                                  .limits = {.wall_time = scaled(2s), .memory = 32_MiB}});
  EXPECT_GT(outcome.facts.oom_kills, 0U) << outcome;
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
}

TEST_F(Attack30Memory, EveryKindWithinTheLimitIsNot) {
  NEEDS_METERS();
  for (const std::string& kind : kKinds) {
    const Outcome outcome =
        attack({.guest = "eat_memory", .arguments = {kind, "20"}, .limits = {.memory = 32_MiB}});
    EXPECT_EQ(outcome.letters, "AC") << kind << ": " << outcome;
    EXPECT_GE(outcome.facts.memory_peak, 19_MiB) << kind << ": " << outcome;
  }
}

TEST_F(Attack30Memory, BuffersOfPipesAndSocketsCount) {
  NEEDS_METERS();
  for (const std::string kind : {"pipes", "sockets"}) {
    const Outcome outcome =
        attack({.guest = "eat_memory", .arguments = {kind, "8"}, .limits = {.memory = 4_MiB}});
    EXPECT_EQ(outcome.letters, "MLE") << kind << ": " << outcome;
    expect_unharmed();
  }
}

TEST_F(Attack30Memory, LockedMemoryIsRefused) {
  const std::string program =
      "import ctypes,mmap\nm=mmap.mmap(-1,8<<20)\nprint(ctypes.CDLL(None).mlockall(3))";
  EXPECT_EQ(attack({.arguments = {"python3", "-c", program}}).output, "-1\n");
}

TEST_F(Attack30Memory, APrivateKeyOfMemoryIsGoneWithItsRun) {
  NEEDS_METERS();
  for (int round = 0; round < 10; ++round) {
    attack({.guest = "eat_memory", .arguments = {"sysv", "100"}, .limits = {.memory = 128_MiB}});
    const Outcome next =
        attack({.guest = "touch_memory_mib", .arguments = {"100"}, .limits = {.memory = 128_MiB}});
    EXPECT_EQ(next.letters, "AC") << next;
  }
}

TEST_F(Attack31Neighbours, OnlyOffendersDie) {
  NEEDS_METERS();
  std::vector<std::thread> offenders;
  for (int i = 0; i < 3; ++i)
    offenders.emplace_back([&] {
      for (int round = 0; round < 5; ++round)
        EXPECT_EQ(attack({.guest = "child_eats_memory", .limits = {.memory = 64_MiB}}).letters,
                  "MLE");
    });
  for (int round = 0; round < 10; ++round) {
    const Outcome honest =
        run({.guest = "touch_memory_mib", .arguments = {"50"}, .limits = {.memory = 64_MiB}});
    EXPECT_EQ(honest.letters, "AC") << honest;
  }
  for (std::thread& offender : offenders)
    offender.join();
  expect_unharmed();
}

TEST_F(Attack31Neighbours, NobodyCanHideFromTheKernelsChoice) {
  NEEDS_METERS();
  const std::string script =
      "echo -1000 > /proc/self/oom_score_adj; exec python3 -c 'x=bytearray(200<<20)'";
  const Outcome outcome = attack({.arguments = {"sh", "-c", script}, .limits = {.memory = 64_MiB}});
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
}

}  // namespace
}  // namespace assay::test
