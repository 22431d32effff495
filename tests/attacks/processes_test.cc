// Rows 11 to 15: processes that stay, multiply, collide, signal and reach into others.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "os/file.h"
#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack11Outlive = Attack;
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

class Attack12Bombs : public Attack {
 protected:
  // Of the same work every time.
  Nanoseconds time_of_honest() {
    const Outcome outcome = run({.guest = "count_up",
                                 .arguments = {"50000000"},
                                 .limits = {.cpu_time = scaled(2s), .wall_time = scaled(20s)}});
    EXPECT_EQ(outcome.letters, "AC") << outcome;
    return outcome.facts.cpu_total;
  }

  // The median of those that began while the bomb was going off.
  Nanoseconds time_beside(const Job& bomb) {
    std::atomic<bool> over = false;
    std::thread hostile([&] {
      const Outcome outcome = attack(bomb);
      over = true;
      EXPECT_EQ(outcome.letters, "TLE") << outcome;
      const Nanoseconds own = outcome.facts.wall - outcome.facts.starved;
      EXPECT_LT(own, *bomb.limits.wall_time + scaled(3s)) << outcome;
    });
    std::vector<Nanoseconds> times;
    do
      times.push_back(time_of_honest());
    while (!over);
    hostile.join();
    std::ranges::sort(times);
    return times[times.size() / 2];
  }
};

// Its work takes the same CPU time, but for caches and for cores that are halves of one. Three
// tries: others use this machine, too. An emulated core's time is what the host gave it: there only
// verdicts count.
TEST_F(Attack12Bombs, AHonestProgramBesideABombIsJudgedAsAlone) {
  NEEDS_METERS();
  const sandbox::Limits limits{.cpu_time = scaled(1s), .wall_time = scaled(3s)};
  const std::vector<Job> bombs = {{.guest = "fork_bomb", .limits = limits},
                                  {.guest = "fork_bomb", .arguments = {"exec"}, .limits = limits},
                                  {.guest = "thread_bomb", .limits = limits}};
  for (const Job& bomb : bombs) {
    double moved = 9;
    const bool emulated = std::getenv("ASSAY_VM") != nullptr;
    for (int i = 0; i < (emulated ? 1 : 3) && moved >= 1.5; ++i) {
      const auto alone = static_cast<double>(time_of_honest().count());
      moved = static_cast<double>(time_beside(bomb).count()) / alone;
    }
    EXPECT_TRUE(moved < 1.5 || emulated) << bomb.guest << ": " << moved;
    expect_unharmed();
  }
}

TEST_F(Attack12Bombs, ABombThatEndsItselfIsOver) {
  for (int round = 0; round < 5; ++round) {
    const std::string mark = random_word();
    const Outcome outcome =
        attack({.arguments = {"sh", "-c", "f() { f | f & }; f; exit 0", mark},
                .limits = {.cpu_time = scaled(1s), .wall_time = scaled(3s), .processes = 40}});
    // The shell itself may find no room for the second of its pair, and says so with 2.
    EXPECT_TRUE(ended_as(outcome, sandbox::Exited{0}) || ended_as(outcome, sandbox::Exited{2}))
        << outcome;
    EXPECT_LT(outcome.facts.wall, scaled(1s)) << outcome;
    EXPECT_EQ(processes_with(mark), std::vector<int>{});
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
  NEEDS_OWN_IDS();
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

// A program in a box of its own that repeats what it is told, until nobody tells it more.
class LiveNeighbour {
 public:
  explicit LiveNeighbour(sandbox::Sandbox& engine)
      : thread_([this, &engine] {
          job_.spec.input = sandbox::Descriptor{input_.read_end.get()};
          job_.spec.output = sandbox::Descriptor{output_.write_end.get()};
          const auto facts = engine.run(job_.spec);
          EXPECT_TRUE(facts) << describe(facts.error());
          if (facts) job_.finish(*facts);
          output_.write_end.reset();
        }) {
    EXPECT_EQ(repeat("first"), "first");
  }
  LiveNeighbour(const LiveNeighbour&) = delete;
  LiveNeighbour& operator=(const LiveNeighbour&) = delete;
  ~LiveNeighbour() {
    if (thread_.joinable()) end();
  }

  [[nodiscard]] std::vector<int> pids() const { return processes_with(mark_); }
  std::string repeat(const std::string& text) {
    EXPECT_TRUE(os::write_all(input_.write_end.get(), text));
    std::string heard(text.size(), ' ');
    for (std::size_t have = 0; have < heard.size();) {
      const ssize_t got = ::read(output_.read_end.get(), heard.data() + have, heard.size() - have);
      if (got <= 0) return heard.substr(0, have);
      have += static_cast<std::size_t>(got);
    }
    return heard;
  }
  const Outcome& end() {
    input_.write_end.reset();
    thread_.join();
    return job_.outcome;
  }

 private:
  std::string mark_ = random_word();
  os::Pipe input_ = os::make_pipe().value();
  os::Pipe output_ = os::make_pipe().value();
  Prepared job_{
      {.guest = "echo_input", .arguments = {mark_}, .limits = {.wall_time = scaled(60s)}}};
  std::thread thread_;
};

TEST_F(Attack13UserIds, ALiveProgramInAnotherBoxIsReachedByNobody) {
  for (const std::string hostile : {"signal_everyone", "reach_into_others"}) {
    LiveNeighbour neighbour(engine());
    const std::vector<int> pids = neighbour.pids();
    ASSERT_EQ(pids.size(), 1U);
    const Outcome outcome = attack({.guest = hostile,
                                    .arguments = {std::to_string(pids[0])},
                                    .limits = {.wall_time = scaled(10s)}});
    expect_refused(outcome, has_own_ids() ? Names{} : Names{"init", "parent"});
    EXPECT_FALSE(outcome.output.contains(" " + std::to_string(pids[0]))) << outcome;
    EXPECT_EQ(neighbour.pids(), pids);
    EXPECT_EQ(neighbour.repeat("and last"), "and last") << hostile;
    const Outcome& lived = neighbour.end();
    EXPECT_EQ(lived.letters, "AC") << hostile << lived;
    EXPECT_EQ(lived.facts.end, sandbox::End(sandbox::Exited{0})) << hostile << lived;
  }
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
  const bool own_id = has_own_ids();
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
