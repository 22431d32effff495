#include "os/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "os/file.h"

namespace assay::os {
namespace {

const std::array<std::string, 1> kAMinute{"60"};
const std::array<int, 3> kStandard{0, 1, 2};

bool exists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

TEST(Process, IsKilledAndReapedWhenItsOwnerLetsGo) {
  pid_t pid = 0;
  {
    const Process process = *spawn("/bin/sleep", kAMinute, kStandard);
    pid = process.pid();
    EXPECT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
}

TEST(Process, MovesWithItsChild) {
  Process first = *spawn("/bin/sleep", kAMinute, kStandard);
  const pid_t pid = first.pid();
  Process second(std::move(first));
  EXPECT_FALSE(first.is_running());  // NOLINT(bugprone-use-after-move): that is the point
  EXPECT_EQ(second.pid(), pid);
  EXPECT_TRUE(exists(pid));
}

TEST(Process, TheOldChildEndsWhenALiveObjectIsAssignedTo) {
  Process target = *spawn("/bin/sleep", kAMinute, kStandard);
  Process source = *spawn("/bin/sleep", kAMinute, kStandard);
  const pid_t old = target.pid();
  const pid_t kept = source.pid();
  target = std::move(source);
  EXPECT_FALSE(exists(old));
  EXPECT_TRUE(exists(kept));
  EXPECT_EQ(target.pid(), kept);
}

TEST(Process, GetsExactlyTheDescriptorsItWasGiven) {
  const Pipe pipe = *make_pipe();
  const OwnedFd stray = *open("/dev/null", 0);
  const std::array<std::string, 2> script{"-c", "ls /proc/self/fd | tr '\\n' ' ' >&3"};
  const std::array<int, 4> fds{0, 1, 2, pipe.write_end.get()};
  Process process = *spawn("/bin/sh", script, fds);
  EXPECT_EQ(process.wait(), 0);
  std::array<char, 64> text{};
  const ssize_t got = ::read(pipe.read_end.get(), text.data(), text.size());
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(got)),
            "0 1 2 3 4 ");  // 4 is ls reading the directory
}

TEST(Process, AProgramThatIsNotThereIsAnErrorWithItsName) {
  const auto process = spawn("/no/such/program", kAMinute, kStandard);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ENOENT);
  EXPECT_NE(process.error().context.find("/no/such/program"), std::string::npos);
}

TEST(File, SealedMemoryCannotBeChanged) {
  const OwnedFd fd = *sealed_memory("test", "content");
  EXPECT_LT(::write(fd.get(), "x", 1), 0);
  EXPECT_LT(::ftruncate(fd.get(), 0), 0);
  EXPECT_EQ(read_from_start(fd.get()).value(), "content");
}

}  // namespace
}  // namespace assay::os
