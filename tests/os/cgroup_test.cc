#include "os/cgroup.h"

#include <gtest/gtest.h>

namespace assay::os {
namespace {

constexpr const char* kSplit =
    "30 25 0:26 / /sys/fs/cgroup rw shared:4 - tmpfs tmpfs rw,mode=755\n"
    "31 30 0:27 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
    "32 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "33 30 0:29 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
    "34 30 0:30 / /sys/fs/cgroup/pids ro,relatime - cgroup cgroup rw,pids\n"
    "35 30 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(CgroupLayout, FindsEachControllerInItsHierarchy) {
  const CgroupLayout layout = parse_cgroup_layout(kSplit);
  ASSERT_NE(layout.v1("memory"), nullptr);
  EXPECT_EQ(layout.v1("memory")->mount, "/sys/fs/cgroup/memory");
  EXPECT_EQ(layout.v1("cpu"), layout.v1("cpuacct"));
  EXPECT_EQ(layout.v1("freezer"), nullptr);
  ASSERT_NE(layout.v2(), nullptr);
  EXPECT_EQ(layout.v2()->mount, "/sys/fs/cgroup/unified");
}

TEST(CgroupLayout, ANamedHierarchyHasNoController) {
  EXPECT_EQ(parse_cgroup_layout(kSplit).v1("name=systemd"), nullptr);
}

TEST(CgroupLayout, AReadOnlyMountIsNotWritable) {
  EXPECT_FALSE(parse_cgroup_layout(kSplit).v1("pids")->writable);
  EXPECT_TRUE(parse_cgroup_layout(kSplit).v1("memory")->writable);
}

TEST(CgroupLayout, AHostsMountInAContainerIsOutOfReach) {
  const auto unified = [](const std::string& root, const std::string& options) {
    const std::string line = "9 8 0:26 " + root + " /sys/fs/cgroup rw - cgroup2 cgroup2 " + options;
    return *parse_cgroup_layout(line).v2();
  };
  EXPECT_TRUE(unified("/..", "rw,nsdelegate").out_of_reach);
  EXPECT_TRUE(unified("/../../other", "rw,nsdelegate,memory_recursiveprot").out_of_reach);
  EXPECT_FALSE(unified("/..", "rw").out_of_reach);  // then nothing stops a move
  EXPECT_FALSE(unified("/", "rw,nsdelegate").out_of_reach);
  EXPECT_FALSE(unified("/below", "rw,nsdelegate").out_of_reach);
}

TEST(CgroupLayout, AHostWithoutCgroupsHasNone) {
  const CgroupLayout layout =
      parse_cgroup_layout("1 0 8:1 / / rw - ext4 /dev/sda rw\nnonsense\n\n");
  EXPECT_TRUE(layout.hierarchies.empty());
  EXPECT_EQ(layout.v2(), nullptr);
}

}  // namespace
}  // namespace assay::os
