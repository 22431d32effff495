// What an engine leaves behind, when it ends well and when a part of it is killed.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using sandbox::Sandbox;
using None = std::vector<std::string>;

class Lifetime : public BoxTest {
 protected:
  // Runs a program that waits for ever, and kills `victim` once it waits. The run must come back by
  // itself.
  Result<Outcome> run_and_kill(const std::function<int()>& victim, const std::string& mark) {
    os::Pipe ready = os::make_pipe().value();
    std::thread killer([&] {
      char byte = 0;
      if (::read(ready.read_end.get(), &byte, 1) == 1) ::kill(victim(), SIGKILL);
    });
    Prepared job(
        {.guest = "hold_mark", .arguments = {mark, "3"}, .limits = {.wall_time = scaled(10s)}});
    job.spec.output = sandbox::Descriptor{ready.write_end.get()};
    auto facts = engine().run(job.spec);
    ready.write_end.reset();
    killer.join();
    if (!facts) return std::unexpected(facts.error());
    job.finish(*facts);
    return job.outcome;
  }

  int launcher() { return children_of(engine().warden_pid()).at(0); }
  bool has_launchers(std::size_t wanted) {
    const auto now = [&] {
      return children_of(engine().warden_pid()).size();
    };
    for (int tries = 0; tries < 500 && now() != wanted; ++tries)
      std::this_thread::sleep_for(scaled(10ms));
    return now() == wanted;
  }
  static int init_of(int launcher) { return children_of(launcher).at(0); }

  // It stays a zombie until its warden looks.
  static bool ends(int pid) {
    const os::OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd ended{process.get(), POLLIN, 0};
    return ::poll(&ended, 1, 10'000) == 1;
  }
};

TEST_F(Lifetime, ManyRunsLeaveNoDescriptorBehind) {
  run({.guest = "exit_code"});
  ASSERT_TRUE(engine().await_clean());
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 200; ++round)
    run({.guest = "print_both_streams", .files_out = {"missing"}});
  ASSERT_TRUE(engine().await_clean());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(Lifetime, FailedRequestsLeaveNoDescriptorBehind) {
  run({.guest = "exit_code"});
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 50; ++round) {
    EXPECT_FALSE(try_run({.guest = "exit_code", .files_in = {{"/usr/x", "x"}}}));
    EXPECT_FALSE(try_run({.guest = "exit_code", .profile = "no-such"}));
  }
  run({.guest = "exit_code"});
  ASSERT_TRUE(engine().await_clean());
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(Lifetime, NothingIsLeftWhenTheEngineEnds) {
  for (const std::string profile : {"default", "native", "python", "compile", "none"})
    run({.guest = "exit_code", .profile = profile});
  const std::string name = engine().instance();
  const int warden = engine().warden_pid();
  const std::vector<int> launchers = children_of(warden);
  EXPECT_FALSE(traces_of(name).empty());
  EXPECT_GE(launchers.size(), 4U);
  end_engine();
  EXPECT_EQ(traces_of(name), None{});
  EXPECT_NE(::kill(warden, 0), 0);
  for (const int launcher : launchers)
    EXPECT_NE(::kill(launcher, 0), 0);
}

TEST_F(Lifetime, AKilledWardenTakesTheRunWithItAndTheNextEngineCleansUp) {
  const std::string mark = random_word();
  const std::string name = engine().instance();
  const auto outcome = run_and_kill([&] { return engine().warden_pid(); }, mark);
  EXPECT_TRUE(!outcome || outcome->letters != "AC");
  EXPECT_TRUE(all_gone(mark));
  EXPECT_FALSE(try_run({.guest = "exit_code"}));
  end_engine();
  auto next = Sandbox::start(options());
  ASSERT_TRUE(next) << describe(next.error());
  EXPECT_FALSE(next->instance().empty());  // it has answered, so it has cleaned up
  EXPECT_EQ(traces_of(name), None{});
}

TEST_F(Lifetime, AKilledLauncherEndsOneRunAndNotTheEngine) {
  run({.guest = "exit_code"});
  const std::string mark = random_word();
  const auto outcome = run_and_kill([&] { return launcher(); }, mark);
  EXPECT_TRUE(!outcome || outcome->letters != "AC");
  EXPECT_TRUE(all_gone(mark));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

// It used to be the program's: "killed by signal 9".
TEST_F(Lifetime, AKilledInitIsOurFailureAndNotTheEndOfTheProgram) {
  run({.guest = "exit_code"});
  const std::string mark = random_word();
  const auto outcome = run_and_kill([&] { return init_of(launcher()); }, mark);
  ASSERT_FALSE(outcome) << *outcome;
  EXPECT_EQ(outcome.error().fault, Fault::System);
  EXPECT_TRUE(all_gone(mark));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

// The next run used to wait for an answer that nobody would give.
TEST_F(Lifetime, ABoxWhoseInitWasKilledWhileItWaitedIsReplaced) {
  run({.guest = "exit_code"});
  ASSERT_TRUE(engine().await_clean());
  const int old = launcher();
  ASSERT_EQ(::kill(init_of(old), SIGKILL), 0);
  ASSERT_TRUE(ends(old));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
  EXPECT_NE(launcher(), old);
}

TEST_F(Lifetime, ABoxWhoseLauncherWasKilledWhileItWaitedIsReplaced) {
  run({.guest = "exit_code"});
  ASSERT_TRUE(engine().await_clean());
  const int old = launcher();
  ASSERT_EQ(::kill(old, SIGKILL), 0);
  ASSERT_TRUE(ends(old));
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
  EXPECT_NE(launcher(), old);
}

// The warden used to keep the box, and its cgroups, for a daemon that never had it.
TEST_F(Lifetime, ABoxForWhichNoDescriptorsAreFreeIsGivenUp) {
  EXPECT_FALSE(engine().instance().empty());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  Prepared job({.guest = "exit_code"});
  // Two numbers are free: fewer than any box has descriptors, and one without cgroups has three.
  const os::OwnedFd next(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  const rlimit few{.rlim_cur = static_cast<rlim_t>(next.get()) + 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto refused = engine().run(job.spec);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, EMFILE) << describe(refused.error());
  EXPECT_TRUE(refused.error().context.starts_with("take what the warden hands over"))
      << describe(refused.error());
  EXPECT_TRUE(has_launchers(0)) << "on a busy machine it is some time in dying";
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
  EXPECT_EQ(children_of(engine().warden_pid()).size(), 1U);
}

// It used to be a bug of ours, which ended the process.
TEST_F(Lifetime, AControlForWhichNoDescriptorIsFreeIsAnErrorOfTheRun) {
  run({.guest = "exit_code"});
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  sandbox::Control control;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  const auto refused = try_run({.guest = "exit_code"}, &control);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, EMFILE);
}

TEST_F(Lifetime, TwoEnginesDoNotDisturbEachOther) {
  const std::string mark = random_word();
  sandbox::Control control;
  std::thread first([&] {
    EXPECT_EQ(run({.guest = "hold_mark", .arguments = {mark}}, &control).letters, "SKIPPED");
  });
  for (int round = 0; round < 5; ++round) {
    auto second = Sandbox::start(options());
    ASSERT_TRUE(second);
    EXPECT_NE(second->instance(), engine().instance());
    Prepared job({.guest = "exit_code", .arguments = {"9"}});
    const auto facts = second->run(job.spec);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(facts->end, sandbox::End(sandbox::Exited{9}));
  }
  while (processes_with(mark).empty())
    std::this_thread::yield();
  EXPECT_EQ(processes_with(mark).size(), 1U);
  control.cancel();
  first.join();
}

TEST_F(Lifetime, FourThreadsRunAtOnce) {
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker)
    threads.emplace_back([&, worker] {
      for (int round = 0; round < 25; ++round) {
        const std::string text = std::to_string(worker * 1000 + round);
        const Outcome outcome = run({.guest = "echo_input", .input = text, .files_out = {"none"}});
        EXPECT_EQ(outcome.output, text) << outcome;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(Lifetime, AnEngineCanBeMovedAndReplaced) {
  auto started = Sandbox::start(options());
  ASSERT_TRUE(started);
  Sandbox moved = std::move(*started);
  const std::string name = moved.instance();
  ASSERT_TRUE(moved.prepare("default", 2));
  moved = Sandbox::start(options()).value();
  EXPECT_EQ(traces_of(name), None{});
  EXPECT_TRUE(moved.run({.argv = {"/bin/true"}}));
}

TEST_F(Lifetime, AMissingWardenOrProfileDirectoryIsAnError) {
  sandbox::Options wrong = options();
  wrong.warden = "/no/such/warden";
  auto engine = Sandbox::start(wrong);
  EXPECT_FALSE(engine && engine->run({.argv = {"/bin/true"}}));
}

}  // namespace
}  // namespace assay::test
