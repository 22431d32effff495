// What is left of an engine that was killed: nothing, or nothing once the next has started.
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <thread>

#include "os/file.h"
#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using sandbox::Sandbox;
using None = std::vector<std::string>;
using KilledEngine = BoxTest;

// Another process with an engine of its own, of which a program runs.
struct OtherEngine {
  pid_t process = 0;
  int warden = 0;
  std::string instance{};
};

OtherEngine start_another(const sandbox::Options& options, const std::string& mark) {
  os::Pipe told = os::make_pipe().value();
  OtherEngine other{.process = ::fork()};
  if (other.process == 0) {
    auto engine = Sandbox::start(options);
    if (!engine) ::_exit(1);
    const std::string names = engine->instance() + " " + std::to_string(engine->warden_pid()) + " ";
    (void)!::write(told.write_end.get(), names.data(), names.size());
    Prepared job({.guest = "hold_mark", .arguments = {mark, "3"}});
    job.spec.output = sandbox::Descriptor{told.write_end.get()};
    (void)engine->run(job.spec);
    ::_exit(0);
  }
  told.write_end.reset();
  std::string text;
  for (char byte = 0; !text.contains("ready") && ::read(told.read_end.get(), &byte, 1) == 1;)
    text += byte;
  std::istringstream(text) >> other.instance >> other.warden;
  return other;
}

void kill_and_reap(pid_t process) {
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

os::OwnedFd handle_of(pid_t process) {
  return os::OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

bool ends(const os::OwnedFd& process) {
  pollfd ended{process.get(), POLLIN, 0};
  return ::poll(&ended, 1, static_cast<int>(scaled(10s) / 1ms)) == 1;
}

TEST_F(KilledEngine, LeavesNothingBehind) {
  const std::string mark = random_word();
  const OtherEngine other = start_another(options(), mark);
  ASSERT_FALSE(other.instance.empty());
  EXPECT_FALSE(processes_with(mark).empty());
  EXPECT_FALSE(traces_of(other.instance).empty());
  const os::OwnedFd warden = handle_of(other.warden);
  ASSERT_TRUE(warden.is_open());
  kill_and_reap(other.process);
  EXPECT_TRUE(all_gone(mark));
  EXPECT_TRUE(ends(warden));
  EXPECT_EQ(traces_of(other.instance), None{});
}

// Its warden dies with it, and nobody is left to clean up but the next engine on this host.
TEST_F(KilledEngine, WithItsWardenLeavesNoProcessAndTheNextCleansUp) {
  for (int round = 0; round < 3; ++round) {
    const std::string mark = random_word();
    const OtherEngine other = start_another(options(), mark);
    ASSERT_GT(other.warden, 0);
    EXPECT_FALSE(traces_of(other.instance).empty());
    const os::OwnedFd warden = handle_of(other.warden);
    ::kill(other.warden, SIGKILL);
    kill_and_reap(other.process);
    EXPECT_TRUE(all_gone(mark));
    EXPECT_TRUE(ends(warden));  // who is still dying has its lock
    auto next = Sandbox::start(options());
    ASSERT_TRUE(next) << describe(next.error());
    Prepared job({.guest = "exit_code", .arguments = {"9"}});
    const auto facts = next->run(job.spec);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(facts->end, sandbox::End(sandbox::Exited{9}));
    EXPECT_EQ(traces_of(other.instance), None{});
    EXPECT_FALSE(os::read_whole("/proc/self/mountinfo").value().contains("-" + other.instance));
  }
}

// A frozen process takes no signal, not even the last one, until it is thawed.
TEST_F(KilledEngine, WhoseRunIsPausedLeavesNoProcess) {
  NEEDS_METERS();
  const std::string mark = random_word();
  os::Pipe paused = os::make_pipe().value();
  const pid_t other = ::fork();
  if (other == 0) {
    auto engine = Sandbox::start(options());
    if (!engine) ::_exit(1);
    sandbox::Control control;
    control.pause();
    std::thread teller([&] {
      while (control.usage().empty() || !control.usage()[0].paused)
        std::this_thread::yield();
      const std::string name = engine->instance() + "\n";
      (void)!::write(paused.write_end.get(), name.data(), name.size());
    });
    Prepared job({.guest = "hold_mark", .arguments = {mark}});
    (void)engine->run(job.spec, &control);
    ::_exit(0);
  }
  paused.write_end.reset();
  std::array<char, 64> name{};
  const ssize_t got = ::read(paused.read_end.get(), name.data(), name.size());
  ASSERT_GT(got, 1);
  const std::string instance(name.data(), static_cast<std::size_t>(got - 1));
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  bool gone = false;
  for (int tries = 0; tries < 300 && !gone; ++tries) {
    std::this_thread::sleep_for(scaled(10ms));
    gone = traces_of(instance).empty();
  }
  EXPECT_TRUE(gone) << "the warden waits for ever for a process that is frozen";
  if (!gone) thaw(instance);
  EXPECT_TRUE(all_gone(mark));
}

}  // namespace
}  // namespace assay::test
