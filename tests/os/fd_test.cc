#include "os/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace assay::os {
namespace {

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

TEST(OwnedFd, ClosesWhatItOwnsExactlyOnce) {
  int raw = -1;
  {
    const OwnedFd fd = *open("/dev/null", O_RDONLY);
    raw = fd.get();
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(OwnedFd, HasOneOwnerAfterAMove) {
  OwnedFd first = *open("/dev/null", O_RDONLY);
  const int raw = first.get();
  const OwnedFd second(std::move(first));
  EXPECT_FALSE(first.is_open());  // NOLINT(bugprone-use-after-move): that is the point
  EXPECT_EQ(second.get(), raw);
}

TEST(OwnedFd, ClosesTheOldOneWhenALiveObjectIsAssignedTo) {
  OwnedFd target = *open("/dev/null", O_RDONLY);
  OwnedFd source = *open("/dev/zero", O_RDONLY);
  const int old = target.get();
  const int kept = source.get();
  target = std::move(source);
  EXPECT_FALSE(is_open(old));
  EXPECT_TRUE(is_open(kept));
  EXPECT_EQ(target.get(), kept);
}

TEST(OwnedFd, IsClosedOnExecFromBirth) {
  const OwnedFd fd = *open("/dev/null", O_RDONLY);
  const OwnedFd copy = *duplicate(fd.get());
  const Pipe pipe = *make_pipe();
  for (const int raw : {fd.get(), copy.get(), pipe.read_end.get(), pipe.write_end.get()})
    EXPECT_NE(::fcntl(raw, F_GETFD) & FD_CLOEXEC, 0);
}

TEST(OwnedFd, AFileThatCannotBeOpenedIsNamedInTheError) {
  const auto fd = open("/no/such/file", O_RDONLY);
  ASSERT_FALSE(fd);
  EXPECT_EQ(fd.error().code, ENOENT);
  EXPECT_EQ(fd.error().context, "open '/no/such/file'");
}

}  // namespace
}  // namespace assay::os
