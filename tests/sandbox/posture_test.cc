// A live box as the host sees it, in every profile that is shipped: see tests/support/posture.h for
// what is looked at.
#include "tests/support/posture.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

const std::string kProfiles = ASSAY_SOURCE_DIR "/profiles";

// A program that waits in a box while a test looks at it.
class Posture : public BoxTest {
 protected:
  void SetUp() override {
    BoxTest::SetUp();
    if (!IsSkipped() && !missing().empty()) GTEST_SKIP() << "not a full box: " << missing().front();
    // The launchers of a plain user's boxes share his id, and /proc tells him little of the rest.
    if (!IsSkipped() && ::geteuid() != 0) GTEST_SKIP() << "only root can look at all of a box";
  }

  // `act` is called when the program has said something, and may look as long as it likes.
  void while_running(const Job& job, const std::function<void(sandbox::Spec&)>& change,
                     const std::function<void()>& act) {
    os::Pipe input = os::make_pipe().value();
    os::Pipe output = os::make_pipe().value();
    Prepared prepared(job);
    prepared.spec.input = sandbox::Descriptor{input.read_end.get()};
    prepared.spec.output = sandbox::Descriptor{output.write_end.get()};
    if (change) change(prepared.spec);
    std::thread actor([&] {
      char byte = 0;
      if (::read(output.read_end.get(), &byte, 1) == 1)
        act();
      else
        ADD_FAILURE() << "the program did not start";
      input.write_end.reset();
    });
    const auto facts = engine().run(prepared.spec);
    output.write_end.reset();
    actor.join();
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(facts->end, sandbox::End(sandbox::Exited{0})) << prepared.outcome;
  }

  std::vector<LiveBox> boxes() { return live_boxes(engine().warden_pid()); }
};

struct Case {
  std::string profile{};
  std::string program = "guest";  // or an interpreter
};

const Case kCases[] = {{"default"},
                       {"native"},
                       {"compile"},
                       {"noj-native"},
                       {"noj-native-write"},
                       {"noj-teacher"},
                       {"python", "python3"},
                       {"noj-python", "python3"},
                       {"noj-python-write", "python3"}};

constexpr const char* kWaitingScript =
    "import sys, threading\n"
    "wait = threading.Event()\n"
    "for _ in range(2): threading.Thread(target=wait.wait).start()\n"
    "print('ready', flush=True)\nsys.stdin.read()\nwait.set()\n";

TEST_F(Posture, IsTightInEveryProfile) {
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.profile);
    Job job{.profile = row.profile, .environment = {"ASKED=for"}};
    if (row.program == "guest") {
      job.guest = "wait_with_threads";
      job.arguments = {"3"};
    } else {
      job.arguments = {"/usr/bin/python3", "-c", kWaitingScript};
    }
    Asked asked = asked_of(kProfiles, row.profile);
    asked.environment.emplace_back("ASKED=for");
    asked.sets_own_signals = row.program != "guest";
    while_running(job, nullptr, [&] {
      const auto live = boxes();
      ASSERT_EQ(live.size(), 1U);
      EXPECT_EQ(lines_of(faults_of(live[0], asked)), "");
    });
  }
}

// What is tested is what is shipped: a new profile needs a row here. 'none' has no box, 'unpack'
// runs the unpacker alone.
TEST_F(Posture, IsTestedForEveryProfileThatIsShipped) {
  const auto shipped = sandbox::list_profiles(kProfiles);
  ASSERT_TRUE(shipped);
  for (const std::string& name : *shipped)
    EXPECT_TRUE(name == "none" || name == "unpack" ||
                std::ranges::find(kCases, name, &Case::profile) != std::end(kCases))
        << name;
}

TEST_F(Posture, FollowsWhatWasAskedFor) {
  Asked asked = asked_of(kProfiles, "default");
  asked.limits.memory = 64_MiB;
  asked.limits.processes = 9;
  asked.limits.open_files = 17;
  asked.limits.stack = 3_MiB;
  asked.limits.address_space = 900_MiB;
  asked.limits.data_segment = 800_MiB;
  asked.limits.output = 1_MiB;
  asked.limits.cpu_time = 3s;
  asked.cores = "0";
  asked.descriptors = {"pipe:", "pipe:", "/dev/null", "/memfd:test", "/dev/null"};
  const os::OwnedFd given = file_of("given");
  while_running(
      {.guest = "wait_with_threads", .arguments = {"1"}, .limits = asked.limits, .cores = {0}},
      [&](sandbox::Spec& spec) {
        spec.errors = sandbox::Nothing{};
        spec.more_streams = {sandbox::Descriptor{given.get()}, sandbox::Nothing{}};
      },
      [&] { EXPECT_EQ(lines_of(faults_of(boxes().at(0), asked)), ""); });
}

// A box that was used is as tight as a new one, after a program that changed what it could.
TEST_F(Posture, IsTheSameAfterAProgramThatLeftAMess) {
  run({.guest = "leave_mess"});
  run({.guest = "lower_limits"});
  run({.guest = "chmod_workdir"});
  while_running({.guest = "wait_with_threads", .arguments = {"2"}}, nullptr, [&] {
    EXPECT_EQ(lines_of(faults_of(boxes().at(0), asked_of(kProfiles, "default"))), "");
  });
}

TEST_F(Posture, BoxesShareNothing) {
  while_running({.guest = "wait_with_threads", .arguments = {"1"}}, nullptr, [&] {
    while_running({.guest = "wait_with_threads", .arguments = {"1"}}, nullptr, [&] {
      const auto live = boxes();
      ASSERT_EQ(live.size(), 2U);
      EXPECT_EQ(lines_of(faults_between(live[0], live[1])), "");
      for (const LiveBox& box : live)
        EXPECT_EQ(lines_of(faults_of(box, asked_of(kProfiles, "default"))), "");
    });
  });
}

// The rules themselves: a process of the host breaks nearly all of them.
TEST_F(Posture, OfAHostsProcessIsFoundWanting) {
  const LiveBox host{.launcher = ::getpid(), .init = ::getpid(), .programs = {::getpid()}};
  const std::string faults = lines_of(faults_of(host, asked_of(kProfiles, "default")));
  for (const std::string what :
       {"Seccomp is", "NoNewPrivs is", "CapEff is", "uid_map maps", "host's namespace: user",
        "host's namespace: mnt", "host's namespace: net", "host's namespace: pid",
        "has the host's root", "nobody asked for at ", "descriptor 0 is", "in its environment",
        "core limit is", "host's cgroup", "working directory is"})
    EXPECT_TRUE(faults.contains(what)) << what;
}

}  // namespace
}  // namespace assay::test
