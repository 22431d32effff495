#include "sandbox/warden/plan.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "sandbox/path.h"

namespace assay::sandbox::warden {
namespace {

using inside::BoxPlan;
using inside::Make;
using inside::MakeKind;

constexpr std::uint64_t kKey = 0x0123456789abcdef;

Profile small_profile() {
  return {
      .name = "p",
      .mounts = {{.source = "/usr", .target = "/usr"},
                 {.source = "/dev/null", .target = "/dev/null", .device = true},
                 {.source = "/etc/x", .target = "/etc/deep/x", .writable = true, .optional = true}},
      .links = {{.path = "/bin", .target = "usr/bin"}},
      .files = {{.path = "/etc/passwd", .content = "root\n"}},
      .places = {{.path = "/w", .size = 1_MiB, .inodes = 10},
                 {.path = "/dev/shm", .size = 2_MiB, .inodes = 20, .executable = false},
                 {.path = "/tmp", .size = 3_MiB, .inodes = 30}},
      .host_prefixes = {"/data"},
      .host_prefixes_writable = {"/out"}};
}

// A plan as the launcher reads it.
struct Laid {
  explicit Laid(const PlanInputs& inputs) {
    auto result = lay_out(inputs);
    EXPECT_TRUE(result) << describe(result.error());
    blob = std::move(result).value_or(std::vector<std::byte>(sizeof(BoxPlan)));
    std::memcpy(&plan, blob.data(), sizeof plan);
    makes.resize(plan.make_count);
    if (makes.empty()) return;  // a plan without isolation
    std::memcpy(makes.data(), blob.data() + plan.makes, makes.size() * sizeof(Make));
  }
  [[nodiscard]] std::string text(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(blob.data()) + plan.strings + offset;
  }
  [[nodiscard]] const Make& at(const std::string& target) const {
    for (const Make& make : makes)
      if (text(make.target) == target) return make;
    ADD_FAILURE() << "nothing makes " << target;
    return makes.front();
  }

  std::vector<std::byte> blob;
  BoxPlan plan{};
  std::vector<Make> makes;
};

TEST(Plan, MakesParentsFirstAndEverythingOnce) {
  const Profile profile = small_profile();
  const Laid laid({.profile = profile, .stage = "/stage"});
  std::map<std::string, MakeKind> made;
  for (const Make& make : laid.makes) {
    const std::string target = laid.text(make.target);
    const std::string parent(parent_of(target));
    EXPECT_TRUE(parent == "/" || made.contains(parent)) << target;
    EXPECT_TRUE(made.emplace(target, make.kind).second) << target;
  }
  const std::map<std::string, MakeKind> expected{
      {"/bin", MakeKind::Link},        {"/dev", MakeKind::Directory},
      {"/dev/null", MakeKind::Bind},   {"/dev/shm", MakeKind::Tmpfs},
      {"/etc", MakeKind::Directory},   {"/etc/deep", MakeKind::Directory},
      {"/etc/deep/x", MakeKind::Bind}, {"/etc/passwd", MakeKind::File},
      {"/proc", MakeKind::Proc},       {"/tmp", MakeKind::Tmpfs},
      {"/usr", MakeKind::Bind},        {"/w", MakeKind::Tmpfs}};
  EXPECT_EQ(made, expected);
}

TEST(Plan, MakesNoDirectoriesInsideAMount) {
  Profile profile = small_profile();
  profile.mounts.push_back({.source = "/opt", .target = "/usr/share/deep/opt"});
  const Laid laid({.profile = profile});
  for (const Make& make : laid.makes)
    EXPECT_FALSE(make.kind == MakeKind::Directory && laid.text(make.target).starts_with("/usr"));
  EXPECT_EQ(laid.at("/usr/share/deep/opt").kind, MakeKind::Bind);
}

TEST(Plan, SaysWhatMayBeDoneThroughEachMount) {
  const Profile profile = small_profile();
  const std::vector<HostMount> mounts{{"/data/a", "/in"}, {"/out/b", "/out/b", true}};
  const Laid laid({.profile = profile, .mounts = mounts});
  EXPECT_EQ(laid.at("/usr").flags, 0U);
  EXPECT_EQ(laid.at("/dev/null").flags, inside::kDevice | inside::kNoExec);
  EXPECT_EQ(laid.at("/etc/deep/x").flags, inside::kWritable | inside::kOptional);
  EXPECT_EQ(laid.at("/in").flags, inside::kNoLinks);
  EXPECT_EQ(laid.text(laid.at("/in").source), "/data/a");
  EXPECT_EQ(laid.at("/out/b").flags, inside::kNoLinks | inside::kWritable);
  EXPECT_EQ(laid.at("/out").kind, MakeKind::Directory);
}

TEST(Plan, BoundsEveryWritablePlace) {
  const Profile profile = small_profile();
  const Laid laid({.profile = profile});
  EXPECT_EQ(laid.text(laid.at("/w").options),
            "size=1048576,nr_inodes=10,mode=0755,uid=1000,gid=1000");
  EXPECT_EQ(laid.text(laid.at("/dev/shm").options),
            "size=2097152,nr_inodes=20,mode=1777,uid=1000,gid=1000");
  EXPECT_EQ(laid.text(laid.at("/tmp").options),
            "size=3145728,nr_inodes=30,mode=1777,uid=1000,gid=1000");
  EXPECT_EQ(laid.at("/w").flags, inside::kPlace | inside::kOwned);
  EXPECT_EQ(laid.at("/dev/shm").flags, inside::kPlace | inside::kOwned | inside::kNoExec);
}

TEST(Plan, CarriesLinksAndFiles) {
  const Profile profile = small_profile();
  const Laid laid({.profile = profile});
  EXPECT_EQ(laid.text(laid.at("/bin").source), "usr/bin");
  EXPECT_EQ(laid.text(laid.at("/etc/passwd").options), "root\n");
  EXPECT_EQ(laid.at("/etc/passwd").mode, 0644U);
  EXPECT_EQ(laid.at("/etc").mode, 0755U);
}

TEST(Plan, TheOnlyIdOfASingleIdBoxIsRoots) {
  Profile profile = small_profile();
  profile.user = 7;
  const Laid laid({.profile = profile, .stage = "/stage", .key = kKey, .single_id = true});
  EXPECT_EQ(laid.plan.single_id, 1U);
  EXPECT_EQ(laid.plan.user, 0U);
  EXPECT_EQ(laid.plan.group, 0U);
}

TEST(Plan, CarriesTheRest) {
  Profile profile = small_profile();
  profile.user = 7;
  profile.group = 8;
  const Laid laid({.profile = profile,
                   .stage = "/stage",
                   .key = kKey,
                   .meters = inside::Meters::V1,
                   .groups = 3,
                   .memory_group = 1,
                   .setgroups_allowed = false});
  EXPECT_EQ(laid.plan.key, kKey);
  EXPECT_EQ(laid.plan.isolation, inside::Isolation::Full);
  EXPECT_EQ(laid.plan.meters, inside::Meters::V1);
  EXPECT_EQ(laid.plan.groups, 3U);
  EXPECT_EQ(laid.plan.memory_group, 1U);
  EXPECT_EQ(laid.plan.single_id, 0U);
  EXPECT_EQ(laid.plan.setgroups_allowed, 0U);
  EXPECT_EQ(laid.plan.user, 7U);
  EXPECT_EQ(laid.plan.group, 8U);
  EXPECT_EQ(laid.text(laid.plan.stage), "/stage");
  EXPECT_EQ(laid.text(laid.plan.hostname), "box");
  EXPECT_EQ(laid.text(laid.plan.work_dir), "/w");
  EXPECT_EQ(laid.text(0), "");
  EXPECT_EQ(laid.plan.filtered, 0U);
  EXPECT_EQ(laid.plan.size, laid.blob.size());
  EXPECT_EQ(laid.plan.makes % alignof(Make), 0U);
}

TEST(Plan, ShowsAsMuchOfProcAsTheProfileSays) {
  Profile profile = small_profile();
  EXPECT_EQ(Laid({.profile = profile}).plan.pid_proc, 1U);
  profile.proc = ProcView::Full;
  EXPECT_EQ(Laid({.profile = profile}).plan.pid_proc, 2U);
  profile.proc = ProcView::None;
  const Laid without({.profile = profile});
  EXPECT_EQ(without.plan.pid_proc, 0U);
  for (const Make& make : without.makes)
    EXPECT_NE(make.kind, MakeKind::Proc);
}

TEST(FilterPlan, CarriesTheFilterWithTheBoxsOwnKey) {
  const auto filter = compile_filter(R"({"defaultAction": "SCMP_ACT_KILL"})");
  ASSERT_TRUE(filter);
  const auto blob = lay_out_filter(*filter, kKey);
  const auto expected = with_key(*filter, kKey);
  inside::FilterPlan header{};
  ASSERT_EQ(blob.size(), sizeof header + expected.size() * sizeof(sock_filter));
  std::memcpy(&header, blob.data(), sizeof header);
  EXPECT_EQ(header.count, expected.size());
  EXPECT_EQ(header.listens, 1U);
  EXPECT_EQ(std::memcmp(blob.data() + sizeof header, expected.data(),
                        expected.size() * sizeof(sock_filter)),
            0);
}

TEST(FilterPlanDeathTest, IsNotMadeWithAKeyThatAnyoneHas) {
  EXPECT_DEATH((void)lay_out_filter(Filter{}, 0), "bug");
}

TEST(Plan, SaysWhetherAFilterFollows) {
  const Profile profile = small_profile();
  EXPECT_EQ(Laid({.profile = profile, .filtered = true, .key = kKey}).plan.filtered, 1U);
  EXPECT_EQ(Laid({.profile = profile, .key = kKey}).plan.filtered, 0U);
}

TEST(Plan, WithoutIsolationWorksInTheStage) {
  const Profile profile{.name = "p", .isolation = Isolation::None};
  const Laid laid({.profile = profile, .stage = "/stage"});
  EXPECT_EQ(laid.plan.isolation, inside::Isolation::None);
  EXPECT_EQ(laid.plan.make_count, 0U);
  EXPECT_EQ(laid.plan.pid_proc, 0U);
  EXPECT_EQ(laid.text(laid.plan.work_dir), "/stage");
}

TEST(Plan, ThatIsTooLargeIsRefused) {
  Profile profile = small_profile();
  profile.files.push_back({.path = "/etc/big", .content = std::string(inside::kMaxPlan, 'x')});
  EXPECT_FALSE(lay_out({.profile = profile}));
}

std::string why_not(const HostMount& mount) {
  const Profile profile = small_profile();
  const Status status = allow_mounts(profile, std::span(&mount, 1));
  return status ? "allowed" : status.error().context;
}

TEST(Mounts, AreAllowedBelowThePrefixesOnly) {
  EXPECT_EQ(why_not({"/data", "/in"}), "allowed");
  EXPECT_EQ(why_not({"/data/a/b", "/in"}), "allowed");
  EXPECT_EQ(why_not({"/out/a", "/in", true}), "allowed");
  EXPECT_EQ(why_not({"/out/a", "/in", false}), "allowed");
  EXPECT_EQ(why_not({"/data2", "/in"}), "mount '/data2': profile 'p' does not allow it");
  EXPECT_EQ(why_not({"/data/a", "/in", true}),
            "mount '/data/a': profile 'p' does not allow it writable");
  for (const char* source : {"/", "/dat", "/etc", "/data.x"})
    EXPECT_NE(why_not({source, "/in"}), "allowed") << source;
}

TEST(Mounts, HaveOneSpellingOnly) {
  for (const std::string path :
       {"", "data", "/data/../etc", "/data/..", "/data/.", "/data//a", "/data/a/", "//data"})
    EXPECT_NE(why_not({path, "/in"}), "allowed") << path;
  EXPECT_NE(why_not({std::string("/data/a\0b", 9), "/in"}), "allowed");
  for (const std::string path : {"", "in", "/in/../w", "/in/", "//in", "/./in"})
    EXPECT_NE(why_not({"/data/a", path}), "allowed") << path;
}

TEST(Mounts, StayOutOfTheWayOfTheProfile) {
  for (const char* target : {"/", "/proc", "/proc/x", "/dev", "/dev/x", "/sys", "/sys/x", "/w",
                             "/w/data", "/tmp/x", "/usr", "/usr/local", "/etc", "/etc/deep",
                             "/etc/deep/x", "/etc/deep/x/y", "/etc/passwd", "/bin", "/bin/x"})
    EXPECT_NE(why_not({"/data/a", target}), "allowed") << target;
  for (const char* target : {"/w2", "/in", "/etc/other", "/etc/deep/other", "/usr2/x", "/opt/a/b"})
    EXPECT_EQ(why_not({"/data/a", target}), "allowed") << target;
}

TEST(Mounts, StayOutOfEachOthersWay) {
  const Profile profile = small_profile();
  for (const char* second : {"/in", "/in/below", "/"}) {
    const std::vector<HostMount> mounts{{"/data/a", "/in"}, {"/data/b", second}};
    EXPECT_FALSE(allow_mounts(profile, mounts)) << second;
  }
  EXPECT_TRUE(
      allow_mounts(profile, std::vector<HostMount>{{"/data/a", "/in/a"}, {"/data/b", "/in/b"}}));
}

TEST(Mounts, NeedIsolation) {
  const Profile profile{.name = "p", .isolation = Isolation::None, .host_prefixes = {"/data"}};
  EXPECT_TRUE(allow_mounts(profile, {}));
  EXPECT_FALSE(allow_mounts(profile, std::vector<HostMount>{{"/data", "/in"}}));
}

}  // namespace
}  // namespace assay::sandbox::warden
