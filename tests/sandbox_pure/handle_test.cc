// The daemon's side of a box, with a launcher that is ours.
#include "sandbox/handle.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/file.h"

namespace assay::sandbox {
namespace {

using inside::Answer;
using inside::ControlReply;
using inside::LeafFile;

class Handle : public testing::Test {
 protected:
  static os::OwnedFd file_of(std::string_view text, std::size_t size) {
    os::OwnedFd fd(::memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(::ftruncate(fd.get(), static_cast<off_t>(size)), 0);
    EXPECT_TRUE(os::write_at_start(fd.get(), std::string(text)));
    return fd;
  }
  static std::array<os::OwnedFd, 2> line() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    return {os::OwnedFd(ends[0]), os::OwnedFd(ends[1])};
  }
  // Two leaves; what each has used tells them apart.
  BoxHandle box() {
    auto control = line(), run = line();
    launcher_ = std::move(control[1]);
    WardenReply reply{};
    reply.meters = inside::Meters::V1;
    reply.leaf_files[0] = reply.leaf_files[1] = 1U << static_cast<unsigned>(LeafFile::CpuUsage);
    std::vector<os::OwnedFd> fds;
    fds.push_back(std::move(control[0]));
    fds.push_back(std::move(run[0]));
    fds.push_back(file_of("", 4096));
    fds.push_back(file_of("111\n", 4));
    fds.push_back(file_of("222\n", 4));
    return std::move(*BoxHandle::take(reply, std::move(fds)));
  }
  void say(Answer answer, unsigned leaf = 0) const {
    ControlReply reply{};
    reply.answer = answer;
    reply.leaf = reply.renewed_leaf = leaf;
    ASSERT_EQ(::send(launcher_.get(), &reply, sizeof reply, 0), static_cast<ssize_t>(sizeof reply));
  }

  os::OwnedFd launcher_;
};

// On a busy machine a program is over, and its box clean, before we have looked at it again. Its
// time and memory were taken from the leaf of the next run: 0, or another program's.
TEST_F(Handle, AReadyThatComesWithAnAnswerChangesNoMetersBeforeTheyWereRead) {
  BoxHandle handle = box();
  say(Answer::Ready, 1);
  say(Answer::Done);
  ASSERT_TRUE(handle.standing());
  EXPECT_EQ(handle.leaf().cpu_total(), Nanoseconds(111));
  EXPECT_TRUE(handle.is_ready());
  EXPECT_EQ(handle.leaf().cpu_total(), Nanoseconds(222));
}

TEST_F(Handle, ALauncherThatIsReadyAgainAndAgainIsOdd) {
  BoxHandle handle = box();
  say(Answer::Ready, 1);
  say(Answer::Ready, 0);
  EXPECT_FALSE(handle.standing());
  EXPECT_TRUE(handle.is_odd());
}

}  // namespace
}  // namespace assay::sandbox
