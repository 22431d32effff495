// Rows 8 to 10 and 23 to 26: ways out of the box, and what can be seen from inside.
#include <unistd.h>

#include <atomic>
#include <thread>

#include "os/file.h"
#include "tests/attacks/attack.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

using Attack08Runner = Attack;
using Attack09Descriptors = Attack;
using Attack10Cgroup = Attack;
using Attack23SetUserId = Attack;
using Attack24ProcAndSys = Attack;
using Attack25Devices = Attack;
using Attack26Secrets = Attack;

TEST_F(Attack08Runner, NoBinaryOfTheEngineCanBeOpened) {
  const auto warden = os::read_whole(tried_programs() + "/assay-warden");
  const auto guest = os::read_whole(guest_path("overwrite_runner"));
  for (int round = 0; round < 5; ++round) {
    const Outcome outcome = attack({.guest = "overwrite_runner"});
    expect_refused(outcome);
    EXPECT_FALSE(outcome.output.contains("opened")) << outcome;
  }
  EXPECT_EQ(os::read_whole(tried_programs() + "/assay-warden").value(), warden.value());
  EXPECT_EQ(os::read_whole(guest_path("overwrite_runner")).value(), guest.value());
  expect_unharmed();
}

TEST_F(Attack08Runner, NoBinaryCanBeOpenedWhileOthersStart) {
  const std::string warden = os::read_whole(tried_programs() + "/assay-warden").value();
  std::atomic<bool> over = false;
  std::thread other([&] {
    const Outcome outcome =
        attack({.guest = "overwrite_runner", .arguments = {milliseconds(scaled(500ms))}});
    over = true;
    expect_refused(outcome);
    EXPECT_FALSE(outcome.output.contains("opened")) << outcome;
    EXPECT_EQ(outcome.letters, "AC") << outcome;
  });
  do
    expect_unharmed();
  while (!over);
  other.join();
  EXPECT_EQ(os::read_whole(tried_programs() + "/assay-warden").value(), warden);
}

TEST_F(Attack09Descriptors, NoDirectoryLeadsOut) {
  const Outcome outcome = attack({.guest = "walk_up"});
  const auto lines = lines_of(outcome.output);
  ASSERT_GE(lines.size(), 2U) << outcome;
  EXPECT_EQ(lines[0], "cwd /");
  for (const std::string outside :
       {"root", "home", "var", "run", "boot", "sys", "mnt", "srv", "work", "opt"})
    EXPECT_FALSE((" " + lines[1]).contains(" " + outside + " ")) << lines[1];
  expect_refused(outcome);
}

TEST_F(Attack09Descriptors, NoneIsOpenButThoseAskedFor) {
  const os::OwnedFd left_open(::dup(1));  // without close-on-exec
  EXPECT_EQ(attack({.guest = "list_fds"}).output, "0\n1\n2\ncwd /w\n");
}

// Looked at from outside, when all was tried: of the hierarchies that limit something.
TEST_F(Attack10Cgroup, IsStillTheBoxesWhenAllWasTried) {
  NEEDS_METERS();
  const std::string mark = random_word();
  const os::Pipe tried = os::make_pipe().value();
  sandbox::Control control;
  std::thread box([&] {
    Prepared job({.guest = "escape_cgroup", .arguments = {mark}});
    job.spec.errors = sandbox::Descriptor{tried.write_end.get()};
    EXPECT_TRUE(engine().run(job.spec, &control));
    expect_refused(job.outcome);
  });
  char byte = 0;
  EXPECT_EQ(::read(tried.read_end.get(), &byte, 1), 1);
  const std::vector<int> pids = processes_with(mark);
  ASSERT_EQ(pids.size(), 1U);
  const std::string cgroups =
      os::read_whole("/proc/" + std::to_string(pids[0]) + "/cgroup").value_or("");
  const Names limiting = cgroups.contains(":memory:") ? Names{":memory:", ":pids:"} : Names{"0::"};
  for (const std::string& name : limiting)
    EXPECT_EQ(std::ranges::count_if(lines_of(cgroups),
                                    [&](const std::string& line) {
                                      return line.contains(name) &&
                                             line.contains("assay-" + engine().instance());
                                    }),
              1)
        << name << " in " << cgroups;
  control.cancel();
  box.join();
}

TEST_F(Attack10Cgroup, CannotBeLeftAndLimitsStillBite) {
  NEEDS_METERS();
  const Outcome outcome = attack({.guest = "escape_cgroup", .limits = {.memory = 32_MiB}});
  expect_refused(outcome);
  for (const std::string& line : lines_of(outcome.output))
    if (line.starts_with("cgroup ")) {
      EXPECT_FALSE(line.contains("..")) << line;
      EXPECT_FALSE(line.contains("assay")) << line;
    }
  EXPECT_EQ(outcome.letters, "MLE") << outcome;
}

TEST_F(Attack23SetUserId, NothingGivesPrivileges) {
  const Outcome outcome = attack({.guest = "show_privileges"});
  EXPECT_TRUE(outcome.output.contains("NoNewPrivs:\t1\n")) << outcome;
  EXPECT_TRUE(outcome.output.contains("Seccomp:\t2\n")) << outcome;
  for (const std::string set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_TRUE(outcome.output.contains(set + ":\t0000000000000000\n")) << outcome;
  EXPECT_TRUE(outcome.output.contains("Groups:\t \n") || outcome.output.contains("Groups:\t\n") ||
              !has_own_ids())
      << outcome;
  EXPECT_FALSE(outcome.output.contains("set-user-id works")) << outcome;
  // A plain user's box has one id, and its program is called 0 there: it may become what it is.
  expect_refused(outcome, has_own_ids() ? Names{} : Names{"setuid", "setgid", "chown"});
}

TEST_F(Attack23SetUserId, OnlyThePlacesAreWritable) {
  const Outcome outcome = attack({.guest = "show_privileges"});
  std::vector<std::string> writable;
  for (const std::string& line : lines_of(outcome.output))
    if (line.starts_with("writable ")) writable.push_back(line.substr(9));
  std::ranges::sort(writable);
  EXPECT_EQ(writable, (std::vector<std::string>{"/dev/shm", "/tmp", "/w"})) << outcome;
}

TEST_F(Attack23SetUserId, SuAndMountFailInside) {
  for (const std::string command : {"su -c id", "mount -t tmpfs x /tmp", "newgrp root -c true"}) {
    const Outcome outcome = attack({.arguments = {"sh", "-c", command}});
    EXPECT_NE(outcome.letters, "AC") << command << outcome;
    EXPECT_FALSE(outcome.output.contains("uid=0")) << outcome;
  }
}

TEST_F(Attack24ProcAndSys, NothingOfTheKernelIsReadOrWritten) {
  const auto pattern = os::read_whole("/proc/sys/kernel/core_pattern");
  const Outcome outcome = attack({.guest = "touch_proc_sys"});
  expect_refused(outcome);
  EXPECT_EQ(os::read_whole("/proc/sys/kernel/core_pattern").value(), pattern.value());
}

TEST_F(Attack25Devices, OnlyTheHarmlessOnesExist) {
  const Outcome outcome = attack({.guest = "open_devices"});
  EXPECT_TRUE(
      outcome.output.starts_with("dev: fd full null random shm stderr stdin stdout urandom zero\n"))
      << outcome;
  EXPECT_TRUE(outcome.output.contains("null is a device\n")) << outcome;
  expect_refused(outcome);
}

TEST_F(Attack25Devices, TheHarmlessOnesWork) {
  const Outcome outcome =
      attack({.arguments = {"sh", "-c",
                            "head -c 3 /dev/zero | wc -c; head -c 5 /dev/urandom | wc -c; echo x > "
                            "/dev/null; echo x > /dev/full || echo full"}});
  EXPECT_EQ(outcome.output, "3\n5\nfull\n") << outcome;
}

// The whole tree of /usr takes minutes under emulation.
std::vector<std::string> search_for(const std::string& name, const std::string& secret) {
  std::vector<std::string> arguments{name, secret};
  if (scaled(1s) > 1s) arguments.emplace_back("1");
  return arguments;
}

TEST_F(Attack26Secrets, AnAnswerOnTheHostIsNeverFound) {
  for (const Canary* canary : {&open_, &closed_}) {
    const std::string name = canary->path().substr(canary->path().rfind('/') + 1);
    // The word itself would find itself in the guest's own arguments: half of it will do.
    const Outcome outcome = attack({.guest = "find_canary",
                                    .arguments = search_for(name, canary->secret().substr(6)),
                                    .limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s)}});
    EXPECT_EQ(outcome.output, "looked at much\n") << outcome;
  }
}

TEST_F(Attack26Secrets, AnotherBoxIsNotSeen) {
  const std::string mark = random_word();
  sandbox::Control control;
  std::thread other([&] {
    run({.guest = "hold_mark", .arguments = {mark}, .files_in = {{mark, mark}}}, &control);
  });
  while (processes_with(mark).empty())
    std::this_thread::yield();
  const Outcome outcome = attack({.guest = "find_canary",
                                  .arguments = search_for(mark, mark.substr(6)),
                                  .limits = {.cpu_time = scaled(10s), .wall_time = scaled(30s)}});
  EXPECT_EQ(outcome.output, "looked at much\n") << outcome;
  control.cancel();
  other.join();
}

}  // namespace
}  // namespace assay::test
