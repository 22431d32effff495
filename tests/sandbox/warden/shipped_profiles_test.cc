// The profiles in profiles/, as they are.
#include <gtest/gtest.h>

#include "sandbox/profile.h"
#include "sandbox/warden/filter.h"
#include "sandbox/warden/plan.h"

namespace assay::sandbox::warden {
namespace {

const std::string kProfiles = ASSAY_SOURCE_DIR "/profiles";
constexpr std::uint64_t kKey = 0x0123456789abcdef;

TEST(ShippedProfiles, AllLoadWithTheirFiltersAndFitIntoAPlan) {
  const auto names = list_profiles(kProfiles);
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"compile", "default", "native", "noj-native",
                                              "noj-native-write", "noj-python", "noj-python-write",
                                              "noj-teacher", "none", "python", "unpack"}));
  for (const std::string& name : *names) {
    const auto profile = load_profile(kProfiles, name);
    ASSERT_TRUE(profile) << describe(profile.error());
    EXPECT_FALSE(profile->description.empty()) << name;
    EXPECT_TRUE(profile->host_prefixes.empty() && profile->host_prefixes_writable.empty()) << name;
    const bool filtered = !profile->seccomp.empty();
    EXPECT_TRUE(!filtered || load_filter(kProfiles, profile->seccomp)) << name;
    const auto plan =
        lay_out({.profile = *profile, .filtered = filtered, .stage = "/run/stage", .key = kKey});
    EXPECT_TRUE(plan) << name;
  }
}

TEST(ShippedProfiles, IsolateFullyButTheOneThatSaysNone) {
  const auto names = list_profiles(kProfiles);
  ASSERT_TRUE(names);
  for (const std::string& name : *names) {
    const auto profile = load_profile(kProfiles, name);
    ASSERT_TRUE(profile);
    const bool bare = name == "none";
    EXPECT_EQ(profile->isolation, bare ? Isolation::None : Isolation::Full) << name;
    EXPECT_EQ(profile->network, Network::None) << name;
    EXPECT_EQ(profile->seccomp.empty(), bare) << name;
    for (const ProfileMount& mount : profile->mounts)
      EXPECT_FALSE(mount.writable) << name << " " << mount.source;
    EXPECT_TRUE(profile->limits.cpu_time && profile->limits.wall_time && profile->limits.memory)
        << name;
  }
}

}  // namespace
}  // namespace assay::sandbox::warden
