// P1 to P10: a hostile program, then an honest one in the same box, which must not be able to tell.
#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "tests/attacks/attack.h"
#include "tests/support/proc.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using sandbox::CutOff;

class Poison : public Attack {
 protected:
  static Job honest() {
    return {.guest = "behave_well",
            .files_in = {{"input", "given"}},
            .files_out = {"output", "/tmp/mine"}};
  }

  // As in an engine in which nobody ran before.
  Outcome in_a_fresh_engine() {
    auto engine = sandbox::Sandbox::start(options());
    EXPECT_TRUE(engine);
    Prepared job(honest());
    const auto facts = engine->run(job.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) job.finish(*facts);
    return job.outcome;
  }

  // `done` are what the hostile one must have got done, or nothing was poisoned.
  void poison(const Job& hostile, const Names& done = {}) {
    const Outcome fresh = in_a_fresh_engine();
    ASSERT_EQ(fresh.letters, "AC") << fresh;
    run(honest());
    const Surroundings before = surroundings();
    for (int round = 0; round < 4; ++round) {
      const Outcome poisoned = attack(hostile);
      for (const std::string& what : done)
        EXPECT_EQ(result_of(poisoned, what), "done") << what << poisoned;
      const Outcome after = run(honest());
      EXPECT_EQ(after.output, fresh.output);
      EXPECT_EQ(after.files, fresh.files);
      EXPECT_EQ(after.letters, "AC") << after;
      EXPECT_EQ(after.facts.limits, fresh.facts.limits);
      // A thread that has ended is counted until the kernel has put it away.
      EXPECT_NEAR(static_cast<double>(after.facts.processes_peak),
                  static_cast<double>(fresh.facts.processes_peak), 1)
          << after;
      EXPECT_LE(after.facts.memory_peak, Bytes{fresh.facts.memory_peak.count + (4 << 20)}) << after;
    }
    for (int tries = 0; tries < 500 && surroundings() != before; ++tries)  // of one given up
      std::this_thread::sleep_for(scaled(10ms));
    EXPECT_EQ(surroundings().cgroups, before.cgroups);
    EXPECT_EQ(surroundings().mounts, before.mounts);
  }

  // What the host has for this engine. A box that was given up has a successor of its kind.
  struct Surroundings {
    std::ptrdiff_t cgroups = 0;
    std::vector<std::set<std::string>> mounts{};  // of each box
    bool operator==(const Surroundings&) const = default;
  };
  Surroundings surroundings() {
    EXPECT_TRUE(engine().await_clean());
    Surroundings found;
    for (const std::string& root : cgroups_of(engine().instance())) {
      std::error_code error;
      found.cgroups += std::ranges::count_if(fs::recursive_directory_iterator(root, error),
                                             [](const auto& at) { return at.is_directory(); });
    }
    for (const int launcher : children_of(engine().warden_pid()))
      for (const int init : children_of(launcher)) {
        EXPECT_TRUE(children_of(init).empty()) << "a program is left";
        std::set<std::string>& points = found.mounts.emplace_back();
        const auto mounts = proc::mounts(init);
        for (const proc::Mount& mount : mounts)
          points.insert(mount.point);
        EXPECT_LE(mounts.size(), points.size() + 1) << "an init has a /proc of its own, at most";
      }
    EXPECT_FALSE(found.mounts.empty());
    return found;
  }
};
using Poison01WorkDirectory = Poison;
using Poison02Limits = Poison;
using Poison03Ipc = Poison;
using Poison04Children = Poison;
using Poison05JustUnderASecond = Poison;
using Poison06StaticArray = Poison;
using Poison07KillsItself = Poison;
using Poison08LargeRequests = Poison;
using Poison09NoLimits = Poison;
using Poison10TwoEngines = Poison;

TEST_F(Poison01WorkDirectory, LockedRemovedOrFull) {
  poison({.guest = "chmod_workdir"}, {"chmod /w", "chmod /tmp", "chmod /dev/shm"});
  poison({.guest = "chmod_workdir", .arguments = {"remove"}}, {"unlink guest"});
  poison({.guest = "leave_mess", .arguments = {"/etc/passwd"}}, {"socket"});
  poison({.arguments = {"sh", "-c",
                        "umask 0; touch -d 1990-01-01 /w /tmp; mkdir -p /w/a; rmdir /w/a; chmod "
                        "700 /w; chmod 755 /w && echo changed: done"}},
         {"changed"});
}

TEST_F(Poison01WorkDirectory, FullOfFiles) {
  const Job hostile{.guest = "create_files_forever", .arguments = {"/w"}};
  EXPECT_TRUE(attack(hostile).output.ends_with(" ENOSPC\n"));
  poison(hostile);
}

TEST_F(Poison02Limits, LoweredWhereverPossible) {
  const Outcome outcome = attack({.guest = "lower_limits"});
  for (const std::string& line : lines_of(outcome.output))
    EXPECT_TRUE(line.starts_with("self") || line.ends_with("EPERM")) << line;
  poison({.guest = "lower_limits"});
}

TEST_F(Poison02Limits, OfTheRunItself) {
  poison({.guest = "exit_code",
          .limits = {.cpu_time = 50ms,
                     .memory = 4_MiB,
                     .disk = 1_MiB,
                     .inodes = 9,
                     .open_files = 4,
                     .processes = 1}});
}

TEST_F(Poison03Ipc, LeftBehind) {
  EXPECT_EQ(result_of(attack({.guest = "leave_sysv_ipc"}), "mq_open"), "ENOSYS");
  poison({.guest = "leave_sysv_ipc"},
         {"shmget", "semget", "msgget", "/tmp/left", "/dev/shm/left", "/w/left"});
  poison({.guest = "leave_socket", .arguments = {"left"}}, {"bind", "listen", "sendmsg"});
  expect_refused(attack({.guest = "use_keyring"}));
  poison({.guest = "use_keyring"});
}

TEST_F(Poison04Children, LeftBehind) {
  for (const std::string kind : {"group", "forking"}) {
    const std::string mark = random_word();
    poison({.guest = "outlive", .arguments = {kind, mark}});
    EXPECT_EQ(processes_with(mark), std::vector<int>{}) << kind;
  }
  const std::string mark = random_word();
  poison(
      {.arguments = {"sh", "-c", "f() { f | f & }; f; exit 0", mark}, .limits = {.processes = 40}});
  EXPECT_EQ(processes_with(mark), std::vector<int>{});
  poison({.guest = "fork_bomb", .limits = {.cpu_time = scaled(200ms), .wall_time = scaled(1s)}});
  poison({.guest = "signal_everyone"});
}

// The kernel's own limit counts whole seconds, and would end it with a signal of its own.
TEST_F(Poison05JustUnderASecond, IsATimeLimitEveryTime) {
  NEEDS_METERS();
  const auto spin = [this](const std::vector<Nanoseconds>& limits) {
    for (const Nanoseconds limit : limits) {
      const Outcome outcome = attack(
          {.guest = "spin_forever", .limits = {.cpu_time = limit, .wall_time = scaled(60s)}});
      EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cpu) << outcome;
      EXPECT_EQ(outcome.letters, "TLE") << outcome;
      EXPECT_GE(outcome.facts.cpu_total, limit) << outcome;
    }
  };
  std::thread other([&] { spin({scaled(999ms), scaled(1999ms), scaled(998ms)}); });
  spin({scaled(1999ms), scaled(999ms), scaled(990ms)});
  other.join();
}

TEST_F(Poison06StaticArray, IsAMemoryLimitWithItsMemory) {
  NEEDS_METERS();
  const Outcome outcome = attack({.guest = "static_array", .limits = {.memory = 64_MiB}});
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
  EXPECT_GT(outcome.facts.memory_peak, 60_MiB) << outcome;
  poison({.guest = "static_array", .limits = {.memory = 64_MiB}});
}

TEST_F(Poison07KillsItself, IsARuntimeError) {
  EXPECT_EQ(attack({.guest = "kill_self"}).letters, "RE");
  poison({.guest = "kill_self"});
}

TEST_F(Poison08LargeRequests, AreServedOrRefusedAndHarmNobody) {
  Job large{.guest = "count_arguments",
            .arguments = {std::string(100 << 10, 'a')},
            .environment = {"LARGE=" + std::string(100 << 10, 'e')}};
  for (int i = 0; i < 400; ++i)
    large.files_in.push_back({"many/" + std::to_string(i), "content"});
  EXPECT_TRUE(run(large).output.starts_with("2 arguments 102407 bytes"));
  poison(large);
  const auto empty = try_run({});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(run(honest()).letters, "AC");
}

TEST_F(Poison09NoLimits, MeansTheProfilesAndNoSurprise) {
  const Outcome outcome = run({.guest = "burn_cpu_ms", .arguments = {milliseconds(300ms)}});
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  const sandbox::Limits& limits = outcome.facts.limits;
  EXPECT_TRUE(limits.cpu_time && limits.wall_time && limits.memory && limits.output &&
              limits.open_files && limits.processes);
}

TEST_F(Poison10TwoEngines, DoNotSeeOrDisturbEachOther) {
  const Outcome fresh = in_a_fresh_engine();
  const std::string mark = random_word();
  sandbox::Control control;
  std::thread busy([&] {
    run({.guest = "hold_mark", .arguments = {mark, "5"}, .files_in = {{mark, mark}}}, &control);
  });
  while (processes_with(mark).size() < 6)
    std::this_thread::yield();
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(in_a_fresh_engine().output, fresh.output);
  EXPECT_EQ(processes_with(mark).size(), 6U);
  auto another = sandbox::Sandbox::start(options());
  ASSERT_TRUE(another);
  Prepared search({.guest = "find_canary",
                   .arguments = {mark, mark.substr(6), "1"},
                   .limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s)}});
  EXPECT_TRUE(another->run(search.spec));
  EXPECT_EQ(search.outcome.output, "looked at much\n");
  control.cancel();
  busy.join();
}

}  // namespace
}  // namespace assay::test
