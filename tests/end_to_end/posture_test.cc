// Boxes of the command as the host sees them, and those of the daemon in daemon_posture_test.cc:
// see tests/support/posture.h for what is looked at. Their starter is as careless as can be.
#include "tests/support/posture.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "tests/end_to_end/careless.h"
#include "tests/end_to_end/command.h"
#include "tests/support/proc.h"

namespace assay::test {
namespace {

class PostureEndToEnd : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "full boxes need root here";
  }
};

// The starter is as careless as it says, or nothing is tested: a plain process of it shows all.
TEST_F(PostureEndToEnd, TheCarelessStarterLeavesWhatItCan) {
  const os::Pipe out = os::make_pipe().value();
  const os::Pipe in = os::make_pipe().value();
  const std::vector<std::string> arguments{};
  auto cat = start_carelessly("/bin/cat", arguments,
                              std::array{in.read_end.get(), out.write_end.get(), 2});
  ASSERT_TRUE(cat);
  while (!proc::link({cat->pid()}, "exe").ends_with("/cat"))
    std::this_thread::yield();
  const LiveBox plain{.launcher = cat->pid(), .init = cat->pid(), .programs = {cat->pid()}};
  const std::string faults =
      lines_of(faults_of(plain, asked_of(ASSAY_SOURCE_DIR "/profiles", "default")));
  std::vector<std::string> expected{"controlling terminal",
                                    "nice value",
                                    "timer slack is",
                                    "personality is",
                                    "SigIgn is",
                                    "SigBlk is",
                                    "CapAmb is",
                                    "CapInh is",
                                    "Groups is",
                                    "umask is",
                                    "comes first to the disk",
                                    "SECRET="};
  // Not every root may be unfair to the OOM killer or raise a limit.
  if ((std::stoull(proc::status({::getpid()})["CapEff"], nullptr, 16) >> CAP_SYS_RESOURCE & 1) != 0)
    expected.insert(expected.end(), {"spared by the OOM", "nice limit is", "real-time limit is"});
  for (const std::string& what : expected)
    EXPECT_TRUE(faults.contains(what)) << what;
}

TEST_F(PostureEndToEnd, OfTheCommandInheritsNothing) {
  os::Pipe in = os::make_pipe().value();
  os::Pipe out = os::make_pipe().value();
  os::Pipe err = os::make_pipe().value();
  const std::vector<std::string> arguments{"exec", "--", "/bin/sh", "-c", "echo ready; read x"};
  auto command =
      start_carelessly(assay_binary(), arguments,
                       std::array{in.read_end.get(), out.write_end.get(), err.write_end.get()});
  ASSERT_TRUE(command);
  in.read_end.reset();
  out.write_end.reset();
  err.write_end.reset();
  std::array<char, 6> said{};
  ASSERT_EQ(::read(out.read_end.get(), said.data(), said.size()), 6);
  const auto boxes = live_boxes(command->pid());
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_EQ(lines_of(faults_of(boxes[0], asked_of(ASSAY_SOURCE_DIR "/profiles", "default"))), "");
  in.write_end.reset();
  EXPECT_EQ(WEXITSTATUS(command->wait()), 1);  // read: nothing came
}

}  // namespace
}  // namespace assay::test
