// Rows 16 to 18: terminals, keyrings, and whatever one run can leave for another.
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "tests/attacks/attack.h"

namespace assay::test {
namespace {

using Attack16Terminal = Attack;
using Attack17Keyrings = Attack;
using Attack18Channels = Attack;

TEST_F(Attack16Terminal, NothingIsTypedIntoTheTerminalOnItsStreams) {
  const os::OwnedFd master(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(master.is_open() && ::grantpt(master.get()) == 0 && ::unlockpt(master.get()) == 0);
  const os::OwnedFd terminal(::open(::ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal.is_open());
  Prepared job({.guest = "type_into_terminal"});
  job.spec.input = sandbox::Descriptor{terminal.get()};
  job.spec.errors = sandbox::Descriptor{terminal.get()};
  ASSERT_TRUE(engine().run(job.spec));
  expect_refused(
      job.outcome,
      {"take over"});  // a terminal that is nobody's may be taken, and still not typed into
  ::fcntl(terminal.get(), F_SETFL, O_NONBLOCK);
  char typed = 0;
  EXPECT_LE(::read(terminal.get(), &typed, 1), 0) << "typed: " << typed;
}

TEST_F(Attack16Terminal, ThereIsNoControllingTerminal) {
  expect_refused(attack({.guest = "type_into_terminal"}));
}

TEST_F(Attack17Keyrings, CannotBeUsedAtAll) {
  for (int round = 0; round < 2; ++round)
    expect_refused(attack({.guest = "use_keyring"}));
}

TEST_F(Attack18Channels, TheSecondRunFindsNothingOfTheFirst) {
  const Outcome fresh = attack({.guest = "find_what_was_left"});
  expect_refused(fresh);
  for (int round = 0; round < 3; ++round) {
    const Outcome left = attack({.guest = "leave_sysv_ipc"});
    EXPECT_EQ(result_of(left, "shmget"), "done") << left;
    const Outcome found = attack({.guest = "find_what_was_left"});
    EXPECT_EQ(found.output, fresh.output);
  }
}

// Made and removed again there is nothing left but a counter.
TEST_F(Attack18Channels, EachKindOfIpcObjectIsNoticedByItself) {
  for (const std::string kind : {"shm", "sem", "msg"}) {
    const Outcome first = attack({.guest = "make_ipc", .arguments = {kind}});
    EXPECT_EQ(first.letters, "AC") << first;
    for (int round = 0; round < 3; ++round)
      EXPECT_EQ(attack({.guest = "make_ipc", .arguments = {kind}}).output, first.output) << kind;
  }
}

// The launcher hears of every such call. It must still hear everybody else.
TEST_F(Attack18Channels, CallsThatAreWatchedWithoutEndDoNotOutliveTheLimits) {
  const Outcome endless = attack({.guest = "make_ipc",
                                  .arguments = {"sem", "forever"},
                                  .limits = {.cpu_time = scaled(300ms), .wall_time = scaled(1s)}});
  EXPECT_TRUE(endless.letters == "TLE" || endless.letters == "ILE") << endless;
  EXPECT_LT(endless.facts.wall, scaled(1500ms)) << endless;
  EXPECT_EQ(attack({.guest = "make_ipc", .arguments = {"sem"}}).letters, "AC");
}

TEST_F(Attack18Channels, ASocketInFlightIsNotThereForTheNextRun) {
  const std::string name = random_word();
  for (int round = 0; round < 3; ++round) {
    const Outcome left = attack({.guest = "leave_socket", .arguments = {name}});
    EXPECT_EQ(result_of(left, "bind"), "done") << left;
    const Outcome found = attack({.guest = "connect_out", .arguments = {name, "/none"}});
    EXPECT_EQ(result_of(found, "abstract"), "ECONNREFUSED") << found;
  }
}

TEST_F(Attack18Channels, ALeaseCannotBeTaken) {
  const Outcome outcome = attack({.guest = "use_forbidden_calls"});
  EXPECT_EQ(result_of(outcome, "lease"), "EPERM") << outcome;
}

long seconds_up() {
  timespec up{};
  ::clock_gettime(CLOCK_BOOTTIME, &up);
  return up.tv_sec;
}

// The time since boot is the host's for everybody: what cannot be set carries nothing.
TEST_F(Attack18Channels, HostnameAndClocksCannotCarryAnything) {
  for (int round = 0; round < 3; ++round) {
    const long before = seconds_up();
    const Outcome outcome = attack({.guest = "change_system"});
    expect_refused(outcome);
    EXPECT_EQ(result_of(outcome, "sethostname"), "EPERM") << outcome;
    EXPECT_EQ(result_of(outcome, "names"), "box (none)") << outcome;
    for (const std::string clock : {"clock", "sysinfo"}) {
      const long up = std::atol(result_of(outcome, clock).c_str());
      EXPECT_GE(up, before) << clock << outcome;
      EXPECT_LE(up, seconds_up() + 1) << clock << outcome;  // sysinfo rounds up
    }
  }
}

// Both boxes see the same file of the host, read-only; hardly anybody else opens this one.
TEST_F(Attack18Channels, NobodyWatchesWhoOpensAFileThatAllSee) {
  const std::string file = "/usr/bin/factor";
  const os::Pipe ready = os::make_pipe().value();
  Prepared holder(
      {.guest = "share_inode", .arguments = {"hold", file, milliseconds(scaled(500ms))}});
  holder.spec.errors = sandbox::Descriptor{ready.write_end.get()};
  std::thread other([&] { EXPECT_TRUE(engine().run(holder.spec)); });
  char byte = 0;
  EXPECT_EQ(::read(ready.read_end.get(), &byte, 1), 1);
  attack({.guest = "share_inode", .arguments = {"look", file}});
  other.join();
  EXPECT_EQ(holder.outcome.output, "nothing\n") << "of another box that opened the file";
}

// The default profile allows locks, because honest programs use them; docs/SECURITY.md says so.
TEST_F(Attack18Channels, AStrictProfileAllowsNoLocksOnFilesThatAllSee) {
  const Outcome outcome = attack(
      {.guest = "share_inode", .arguments = {"hold", "/usr/bin/factor", "1"}, .profile = "native"});
  EXPECT_TRUE(std::holds_alternative<sandbox::Forbidden>(outcome.facts.end)) << outcome;
}

}  // namespace
}  // namespace assay::test
