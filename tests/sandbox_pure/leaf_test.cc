// Meters that are files of ours: what is read of them, and what is said when they cannot be read.
#include "sandbox/leaf.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace assay::sandbox {
namespace {

using inside::LeafFile;

os::OwnedFd file_with(std::string_view text) {
  os::OwnedFd file(::memfd_create("meter", MFD_CLOEXEC));
  EXPECT_EQ(::write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  return file;
}

TEST(Leaf, ReadsTheTimesOfEitherKindOfCgroup) {
  Leaf v2(inside::Meters::V2);
  v2.replace(LeafFile::CpuUsage, file_with("usage_usec 700\nuser_usec 500\nsystem_usec 200\n"));
  EXPECT_EQ(v2.cpu().total, std::chrono::microseconds(700));
  EXPECT_EQ(v2.cpu().system, std::chrono::microseconds(200));
  Leaf v1(inside::Meters::V1);
  v1.replace(LeafFile::CpuUsage, file_with("700\n"));
  EXPECT_EQ(v1.cpu().total, Nanoseconds(700));
  EXPECT_TRUE(v1.was_read());
}

TEST(Leaf, AMeterThatIsNotThereIsNoFailure) {
  Leaf leaf(inside::Meters::V2);
  EXPECT_EQ(leaf.processes_peak(), 0U);
  EXPECT_TRUE(leaf.was_read());
}

// As of a cgroup that somebody has removed: ENODEV, where this one says EBADF.
TEST(Leaf, AMeterThatCannotBeReadIsSaidUntilTheNextRun) {
  Leaf leaf(inside::Meters::V2);
  leaf.replace(LeafFile::CpuUsage, os::OwnedFd(::open("/dev/null", O_WRONLY | O_CLOEXEC)));
  EXPECT_EQ(leaf.cpu().total, Nanoseconds{});
  const Status read = leaf.was_read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().fault, Fault::System);
  ASSERT_TRUE(leaf.begin({}));
  EXPECT_TRUE(leaf.was_read());
}

TEST(Leaf, AnEmptyMeterIsNoZero) {
  Leaf leaf(inside::Meters::V1);
  leaf.replace(LeafFile::CpuUsage, file_with(""));
  (void)leaf.cpu();
  EXPECT_FALSE(leaf.was_read());
}

}  // namespace
}  // namespace assay::sandbox
