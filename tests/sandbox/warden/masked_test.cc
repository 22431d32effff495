// Paths that a profile masks, in the plan.
#include <gtest/gtest.h>

#include <cstring>

#include "sandbox/warden/plan.h"

namespace assay::sandbox::warden {
namespace {

using inside::BoxPlan;
using inside::Make;
using inside::MakeKind;

TEST(Masked, PathsComeAfterEverythingElseAndNotInProc) {
  const Profile profile{.name = "p",
                        .domainname = "example",
                        .mounts = {{.source = "/usr", .target = "/usr"}},
                        .places = {{.path = "/w", .size = 1_MiB, .inodes = 10}},
                        .masked = {"/proc/kcore", "/etc/x", "/usr/lib/y"}};
  const auto blob = lay_out({.profile = profile});
  ASSERT_TRUE(blob) << describe(blob.error());
  BoxPlan plan{};
  std::memcpy(&plan, blob->data(), sizeof plan);
  std::vector<Make> makes(plan.make_count);
  std::memcpy(makes.data(), blob->data() + plan.makes, makes.size() * sizeof(Make));
  const auto text = [&](std::uint32_t offset) {
    return std::string(reinterpret_cast<const char*>(blob->data()) + plan.strings + offset);
  };
  ASSERT_GE(makes.size(), 2U);
  EXPECT_EQ(makes[makes.size() - 2].kind, MakeKind::Mask);
  EXPECT_EQ(text(makes[makes.size() - 2].target), "/etc/x");
  EXPECT_EQ(makes.back().kind, MakeKind::Mask);
  EXPECT_EQ(text(makes.back().target), "/usr/lib/y");
  EXPECT_NE(makes[makes.size() - 3].kind, MakeKind::Mask);
  EXPECT_EQ(text(plan.domainname), "example");
}

}  // namespace
}  // namespace assay::sandbox::warden
