// Rows 11 to 15: processes that stay, multiply, collide, signal and reach into others.
#include <array>
#include <thread>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack11Outlive = Attack;
using Attack12Bombs = Attack;
using Attack13UserIds = Attack;
using Attack14Signals = Attack;
using Attack15Ptrace = Attack;

TEST_F(Attack11Outlive, NoProcessOutlivesItsRun) {
  for (const std::string kind : {"double_fork", "deaf", "stopped", "vfork", "group", "forking"})
    for (int round = 0; round < 3; ++round) {
      const std::string mark = random_word();
      const Outcome outcome = attack({.guest = "outlive", .arguments = {kind, mark}});
      EXPECT_EQ(processes_with(mark), std::vector<int>{}) << kind;
      EXPECT_EQ(outcome.letters, "AC") << kind << outcome;
      expect_unharmed();
    }
}

TEST_F(Attack12Bombs, AHonestProgramBesideABombIsJudgedAsAlone) {
  NEEDS_METERS();
  const Job honest{.guest = "burn_cpu_ms",
                   .arguments = {milliseconds(scaled(200ms))},
                   .limits = {.cpu_time = scaled(300ms), .wall_time = scaled(20s)}};
  for (const std::string bomb : {"fork_bomb", "thread_bomb"}) {
    std::thread hostile([&] {
      const Outcome outcome =
          attack({.guest = bomb, .limits = {.cpu_time = scaled(1s), .wall_time = scaled(3s)}});
      EXPECT_EQ(outcome.letters, "TLE") << outcome;
    });
    for (int round = 0; round < 3; ++round) {
      const Outcome outcome = run(honest);
      EXPECT_EQ(outcome.letters, "AC") << outcome;
    }
    hostile.join();
    expect_unharmed();
  }
}

TEST_F(Attack12Bombs, ABombThatEndsItselfIsOver) {
  for (int round = 0; round < 5; ++round) {
    attack({.arguments = {"sh", "-c", "f() { f | f & }; f; exit 0"},
            .limits = {.cpu_time = scaled(1s), .wall_time = scaled(3s), .processes = 40}});
    expect_unharmed();
  }
}

// One process and a thousand programs, each gone before a meter of programs would see it.
TEST_F(Attack12Bombs, AnExecLoopIsEndedByItsLimitWithAllOfItCounted) {
  NEEDS_METERS();
  const Nanoseconds limit = scaled(300ms);
  const Outcome outcome =
      attack({.guest = "exec_forever", .limits = {.cpu_time = limit, .wall_time = scaled(60s)}});
  EXPECT_EQ(outcome.facts.cut_off_by, sandbox::CutOff::Cpu) << outcome;
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
  EXPECT_GE(outcome.facts.cpu_total, limit) << outcome;
  EXPECT_EQ(outcome.facts.processes_peak, 1U) << outcome;
  expect_unharmed();
}

TEST_F(Attack13UserIds, ParallelBoxesHaveUsersOfTheirOwn) {
  if (!missing().empty()) GTEST_SKIP() << missing().front();
  const std::string mark = random_word();
  std::array<sandbox::Control, 2> controls;
  std::vector<std::thread> boxes;
  for (sandbox::Control& control : controls)
    boxes.emplace_back(
        [&, mine = &control] { run({.guest = "hold_mark", .arguments = {mark}}, mine); });
  std::vector<int> pids;
  while ((pids = processes_with(mark)).size() < 2)
    std::this_thread::yield();
  const std::string users[] = {status_line(pids[0], "Uid"), status_line(pids[1], "Uid")};
  const std::string groups[] = {status_line(pids[0], "Gid"), status_line(pids[1], "Gid")};
  EXPECT_NE(users[0], users[1]);
  EXPECT_NE(groups[0], groups[1]);
  EXPECT_GT(std::stol(users[0]), 65535);
  for (sandbox::Control& control : controls)
    control.cancel();
  for (std::thread& box : boxes)
    box.join();
}

TEST_F(Attack13UserIds, ManyProcessesInOneBoxDoNotStarveAnother) {
  NEEDS_METERS();
  sandbox::Control control;
  const std::string mark = random_word();
  std::thread full([&] { run({.guest = "hold_mark", .arguments = {mark, "63"}}, &control); });
  while (processes_with(mark).size() < 64)
    std::this_thread::yield();
  const Outcome outcome = attack({.guest = "start_threads", .arguments = {"60"}});
  EXPECT_EQ(outcome.output, "60\n") << outcome;
  control.cancel();
  full.join();
}

// In a plain user's box init has the sender's id: signals to it are taken, and dropped by the
// kernel.
TEST_F(Attack14Signals, ReachNobodyButTheSender) {
  const bool own_id = missing().empty();
  for (int round = 0; round < 3; ++round) {
    const Outcome outcome =
        attack({.guest = "signal_everyone", .limits = {.wall_time = scaled(10s)}});
    expect_refused(outcome, own_id ? Names{} : Names{"init", "parent"});
    EXPECT_TRUE(!own_id || outcome.output.contains("queued 0\n")) << outcome;
    EXPECT_FALSE(outcome.output.contains("killed")) << outcome;
    EXPECT_EQ(outcome.letters, "RE") << outcome;
    expect_unharmed();
  }
}

TEST_F(Attack14Signals, AParentStoppedByItsChildIsNoHang) {
  const Outcome outcome = attack(
      {.arguments = {"sh", "-c", "kill -STOP $$ & wait"}, .limits = {.wall_time = scaled(500ms)}});
  EXPECT_EQ(outcome.letters, "TLE") << outcome;
  expect_unharmed();
}

TEST_F(Attack15Ptrace, NobodyElseCanBeReached) {
  const Outcome outcome = attack({.guest = "reach_into_others"});
  expect_refused(outcome);
  EXPECT_EQ(lines_of(outcome.output).size(), 2U) << outcome;
  expect_unharmed();
}

TEST_F(Attack15Ptrace, AnInteractorIsInAnotherBox) {
  Prepared hostile({.guest = "reach_into_others"});
  Prepared interactor({.guest = "sleep_forever", .limits = {.wall_time = scaled(2s)}});
  const std::vector specs{hostile.spec, interactor.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts);
  EXPECT_EQ(lines_of(hostile.outcome.output).size(), 2U) << hostile.outcome.output;
  EXPECT_EQ(facts->at(1).cut_off_by, sandbox::CutOff::Wall);
}

}  // namespace
}  // namespace assay::test
