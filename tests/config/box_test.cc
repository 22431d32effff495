#include "app/daemon/config/box.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::daemon {
namespace {

using sandbox::ProcView;
using Lines = std::vector<std::string>;

Result<BoxSettings> box_of(const std::string& yaml, const Settings& settings = {},
                           const Host& host = {.working_directory = "/srv/judge"}) {
  auto file = parse_mount_file("mount.yaml", yaml);
  EXPECT_TRUE(file) << describe(file.error());
  return make_box_settings(*file, settings, host);
}

BoxSettings good(const std::string& yaml) {
  auto box = box_of(yaml);
  EXPECT_TRUE(box) << describe(box.error());
  return box ? *std::move(box) : BoxSettings{};
}

constexpr const char* kWork = "mount:\n  - {type: tmpfs, target: /w, data: 'size=1m'}\n";

TEST(BoxSettings, WithoutAFileParseAsAProfile) {
  const Settings settings;
  const auto box = make_box_settings(default_mounts(settings.tmp_fs_param), settings, {});
  ASSERT_TRUE(box) << describe(box.error());
  EXPECT_TRUE(box->warnings.empty()) << box->warnings[0];
  const auto profile = sandbox::parse_profile("gojudge", profile_text(box->profile));
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->hostname, "executor_server");
  EXPECT_EQ(profile->domainname, "executor_server");
  EXPECT_EQ(profile->user, 1000U);
  EXPECT_EQ(profile->work_dir, "/w");
  EXPECT_EQ(profile->seccomp, "default");
  EXPECT_EQ(profile->proc, ProcView::Pids);
  EXPECT_EQ(profile->network, sandbox::Network::None);
  EXPECT_TRUE(profile->environment.empty());
  ASSERT_EQ(profile->places.size(), 2U);
  EXPECT_EQ(profile->places[0].path, "/w");
  EXPECT_EQ(profile->places[0].size, 128_MiB);
  EXPECT_EQ(profile->places[0].inodes, 4096U);
  EXPECT_EQ(profile->masked.size(), 13U);
  const auto null = std::ranges::find(profile->mounts, "/dev/null", &sandbox::ProfileMount::source);
  ASSERT_NE(null, profile->mounts.end());
  EXPECT_TRUE(null->device);
  EXPECT_TRUE(std::ranges::all_of(profile->mounts, &sandbox::ProfileMount::optional));
}

TEST(BoxSettings, SurviveTheirOwnText) {
  Settings settings{.net_share = true};
  const auto box = box_of(
      "mount:\n"
      "  - {type: bind, source: \"/a \\\" \\\\ \\u00e9\", target: /b, readonly: true}\n"
      "  - {type: bind, source: /rw, target: /rw}\n"
      "  - {type: tmpfs, target: /w}\n"
      "hostName: h\ndomainName: d.example\nuid: 5\ngid: 6\n",
      settings);
  ASSERT_TRUE(box) << describe(box.error());
  const auto profile = sandbox::parse_profile("gojudge", profile_text(box->profile));
  ASSERT_TRUE(profile) << describe(profile.error());
  EXPECT_EQ(profile->mounts[0].source, "/a \" \\ \u00e9");
  EXPECT_FALSE(profile->mounts[0].writable);
  EXPECT_TRUE(profile->mounts[1].writable);
  EXPECT_EQ(profile->network, sandbox::Network::Host);
  EXPECT_EQ(profile->proc, ProcView::None);
  EXPECT_EQ(profile->domainname, "d.example");
  EXPECT_EQ(profile->user, 5U);
  EXPECT_EQ(profile->group, 6U);
  EXPECT_EQ(profile->places[0].size, 256_MiB);
}

TEST(BoxSettings, RelativeSourcesBeginAtTheWorkingDirectory) {
  const auto box = good(
      "mount:\n"
      "  - {type: bind, source: data/./x, target: data//y/, readonly: true}\n"
      "  - {type: bind, source: ../up, target: /up, readonly: true}\n"
      "  - {type: tmpfs, target: w}\n");
  EXPECT_EQ(box.profile.mounts[0].source, "/srv/judge/data/x");
  EXPECT_EQ(box.profile.mounts[0].target, "/data/y");
  EXPECT_EQ(box.profile.mounts[1].source, "/srv/up");
  EXPECT_EQ(box.profile.places[0].path, "/w");
}

TEST(BoxSettings, ABindToTheEnvironmentFileIsReadOnTheHost) {
  const auto box = good(
      "mount:\n"
      "  - {type: bind, source: dotenv, target: /.env, readonly: true}\n"
      "  - {type: tmpfs, target: /w}\n");
  EXPECT_EQ(box.environment_file, "/srv/judge/dotenv");
  EXPECT_TRUE(box.profile.mounts.empty());
}

TEST(BoxSettings, WhatABoxCannotHaveIsSaidByKey) {
  const auto box = good(std::string(kWork) + "initCmd: ip link\nprocrw: true\nsurprise: 1\n");
  EXPECT_EQ(box.warnings, (Lines{"procrw: /proc stays read-only in a box",
                                 "initCmd: is not run; a box has no set-up command",
                                 "mount.yaml:5: unknown key 'surprise'"}));
}

TEST(BoxSettings, WritableBindsAreWarnedAboutUnlessTheyAreDevices) {
  const auto box = good(
      "mount:\n"
      "  - {type: bind, source: /data, target: /data}\n"
      "  - {type: bind, source: /dev/zero, target: /dev/zero}\n"
      "  - {type: tmpfs, target: /w, data: 'size=1m,uid=3'}\n");
  EXPECT_EQ(box.warnings,
            (Lines{"mount (line 2): '/data' is writable, and what programs leave there stays",
                   "mount '/w' (line 4): data: 'uid=3' has no effect"}));
}

TEST(BoxSettings, ALaterMountLiesOverAnEarlierOne) {
  const auto box = good(
      "mount:\n"
      "  - {type: bind, source: /a, target: /x, readonly: true}\n"
      "  - {type: bind, source: /b, target: /x, readonly: true}\n"
      "  - {type: tmpfs, target: /w}\n");
  ASSERT_EQ(box.profile.mounts.size(), 1U);
  EXPECT_EQ(box.profile.mounts[0].source, "/b");
}

TEST(BoxSettings, LinksInsideMountsAreLeftOutAloud) {
  const auto box = good(
      "mount:\n"
      "  - {type: bind, source: /dev, target: /dev, readonly: true}\n"
      "  - {type: tmpfs, target: /w}\n"
      "symLink: [{linkPath: /dev/fd, target: /proc/self/fd}, {linkPath: /x, target: y}]\n");
  ASSERT_EQ(box.profile.links.size(), 1U);
  EXPECT_EQ(box.profile.links[0].path, "/x");
  EXPECT_EQ(box.warnings,
            Lines{"symLink (line 4): '/dev/fd' cannot be made: something else is there"});
}

TEST(BoxSettings, AWorkDirectoryThatIsNoTmpfsBecomesOne) {
  const auto box = good("mount: []\nworkDir: /work/\n");
  ASSERT_EQ(box.profile.places.size(), 1U);
  EXPECT_EQ(box.profile.places[0].path, "/work");
  EXPECT_EQ(box.profile.work_dir, "/work");
  EXPECT_EQ(box.warnings, Lines{"workDir: '/work' is no tmpfs of the mount list; one is added"});
}

TEST(BoxSettings, MountsThatCannotBeAreRefusedWithTheReason) {
  const auto refusal = [](const std::string& yaml) {
    const auto box = box_of(yaml);
    return box ? "it was accepted" : box.error().context;
  };
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w, data: 'size=5q'}\n"),
            "mount '/w' (line 2): data: '5q' has no known unit: use B, KiB, MiB, GiB or TiB");
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w, data: 'size=0%'}\n"),
            "mount '/w' (line 2): data: 'size=0%' must be more than 0");
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w, data: 'size=-5%'}\n"),
            "mount '/w' (line 2): data: '-5' is not a number from 0 to 10000");
  EXPECT_EQ(refusal("mount:\n  - {type: bind, source: /, target: /host, readonly: true}\n"),
            "mount (line 2): '/' cannot be shown as a whole; name the directories that programs "
            "need");
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w, data: 'size=0'}\n"),
            "mount '/w' (line 2): data: 'size=0' must be more than 0");
  EXPECT_EQ(refusal("mount:\n  - {type: bind, source: /x, target: /}\n"),
            "mount (line 2): the root cannot be a bind mount");
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w}\n"
                    "  - {type: bind, source: /x, target: /w/x, readonly: true}\n"),
            "mount (line 3): '/w/x' lies in the tmpfs '/w', which is new in every run");
  EXPECT_EQ(refusal("mount:\n  - {type: tmpfs, target: /w}\n  - {type: tmpfs, target: /w/t}\n"),
            "mount (line 3): tmpfs '/w/t' lies in tmpfs '/w'");
  EXPECT_EQ(refusal("workDir: /\n"), "workDir: '/' cannot be written to");
}

TEST(BoxSettings, LinksOfAMergedUsrAreResolvedWhereTheyWouldDangle) {
  const Host host{.working_directory = "/", .resolve = [](const std::string& path) {
                    return path == "/bin" ? std::string("/usr/bin") : path == "/none" ? "" : path;
                  }};
  const std::string bin = "  - {type: bind, source: /bin, target: /bin, readonly: true}\n";
  const std::string none = "  - {type: bind, source: /none, target: /none, readonly: true}\n";
  const std::string usr = "  - {type: bind, source: /usr, target: /usr, readonly: true}\n";
  const auto without = box_of(kWork + bin + none, {}, host);
  ASSERT_TRUE(without);
  ASSERT_EQ(without->profile.mounts.size(), 1U);
  EXPECT_EQ(without->profile.mounts[0].source, "/usr/bin");
  const auto with = box_of(kWork + bin + usr, {}, host);
  ASSERT_TRUE(with);
  EXPECT_EQ(with->profile.mounts[0].source, "/bin");
}

// A fault of the host at the start; programs would see no /bin for as long as the daemon lives.
TEST(BoxSettings, ABindThatTheHostCannotLookUpIsAnErrorAndNotMissing) {
  const Host host{.working_directory = "/",
                  .resolve = [](const std::string& path) -> Result<std::string> {
                    if (path == "/bin") return system_error(EIO, "look for '/bin'");
                    return path;
                  }};
  const auto box =
      box_of(std::string(kWork) + "  - {type: bind, source: /bin, target: /bin, readonly: true}\n",
             {}, host);
  ASSERT_FALSE(box);
  EXPECT_EQ(box.error().code, EIO);
}

TEST(BoxSettings, ABindOfWhatIsNotThereIsDroppedWithoutAWordAndCoversNothing) {
  const Host host{.working_directory = "/", .resolve = [](const std::string& path) {
                    return path == "/none" ? std::string() : path;
                  }};
  const auto box = box_of(std::string(kWork) +
                              "  - {type: bind, source: /a, target: /x, readonly: true}\n"
                              "  - {type: bind, source: /none, target: /x}\n"
                              "  - {type: bind, source: /none, target: /w/x}\n",
                          {}, host);
  ASSERT_TRUE(box) << describe(box.error());
  EXPECT_TRUE(box->warnings.empty()) << box->warnings[0];
  ASSERT_EQ(box->profile.mounts.size(), 1U);
  EXPECT_EQ(box->profile.mounts[0].source, "/a");
}

TEST(BoxSettings, APercentageIsOfTheMachinesMemory) {
  const auto box = box_of("mount:\n  - {type: tmpfs, target: /w, data: 'size=50%,nr_inodes=1k'}\n",
                          {}, {.memory = 6_GiB});
  ASSERT_TRUE(box) << describe(box.error());
  EXPECT_EQ(box->profile.places[0].size, 3_GiB);
  EXPECT_EQ(box->profile.places[0].inodes, 1024U);
  EXPECT_EQ(parse_tmpfs_options("size=150%", 2_GiB)->size, 3_GiB);
  EXPECT_FALSE(parse_tmpfs_options("nr_inodes=5%", 2_GiB));
}

Host host_with_closed_root(bool can_copy) {
  return {.working_directory = "/root/judge",
          .obstacle = [can_copy](const std::string& path) -> std::optional<Obstacle> {
            if (!path.starts_with("/root/")) return std::nullopt;
            return Obstacle{.directory = "/root", .can_copy = can_copy};
          }};
}

TEST(BoxSettings, AFileThatABoxCannotReachIsShownAsACopy) {
  const auto box =
      box_of(std::string(kWork) +
                 "  - {type: bind, source: passwd.txt, target: /etc/passwd, readonly: true}\n"
                 "  - {type: bind, source: group.txt, target: /etc/group}\n"
                 "  - {type: bind, source: /usr, target: /usr, readonly: true}\n",
             {}, host_with_closed_root(true));
  ASSERT_TRUE(box) << describe(box.error());
  EXPECT_EQ(box->copied, (Lines{"/etc/passwd", "/etc/group"}));
  EXPECT_FALSE(box->profile.mounts[1].writable);
  EXPECT_EQ(box->warnings, Lines{"mount (line 4): '/etc/group' is a copy, and read-only"});
}

TEST(BoxSettings, ACopyThatALaterMountCoversIsNotMade) {
  const auto box = box_of(std::string(kWork) +
                              "  - {type: bind, source: x, target: /x, readonly: true}\n"
                              "  - {type: bind, source: /usr, target: /x, readonly: true}\n",
                          {}, host_with_closed_root(true));
  ASSERT_TRUE(box) << describe(box.error());
  EXPECT_TRUE(box->copied.empty());
}

TEST(BoxSettings, ADirectoryThatABoxCannotReachIsRefusedWithTheOneInTheWay) {
  const auto box =
      box_of(std::string(kWork) + "  - {type: bind, source: data, target: /data, readonly: true}\n",
             {}, host_with_closed_root(false));
  ASSERT_FALSE(box);
  EXPECT_EQ(box.error().context,
            "mount (line 3): '/root/judge/data' cannot be shown to programs, because not everybody "
            "may enter '/root': allow it with 'chmod a+x /root', or keep the source elsewhere");
}

TEST(BoxSettings, WhatTheEngineWouldRefuseIsNamedByTheLineOfTheMountFile) {
  const auto refusal = [](const std::string& yaml) {
    const auto profile = read_back(good(yaml));
    return profile ? "it was accepted" : profile.error().context;
  };
  EXPECT_EQ(refusal(std::string(kWork) +
                    "  - {type: bind, source: /dev/null, target: /dev/null}\n"
                    "  - {type: bind, source: /usr, target: /dev/null/usr, readonly: true}\n"),
            "line 4: '/dev/null/usr' cannot be made below '/dev/null'");
  EXPECT_EQ(refusal(std::string(kWork) + "  - {type: tmpfs, target: /proc}\nproc: true\n"),
            "line 3: '/proc' is taken: the profile has a /proc");
  const std::string name(100, 'h');
  EXPECT_TRUE(refusal(std::string(kWork) + "hostName: " + name + "\n").starts_with("hostName: "));
  const std::string mask = "/" + std::string(5000, 'm');
  EXPECT_TRUE(refusal(std::string(kWork) + "maskPath: [" + mask + "]\n").starts_with("maskPath: "));
  EXPECT_EQ(refusal(kWork), "it was accepted");
}

TEST(EnvironmentFile, HasOneVariablePerLineAndComments) {
  EXPECT_EQ(parse_environment_file("# c\n\nA=1\r\n  B=x y \n=z\nnothing\nC="),
            (Lines{"A=1", "B=x y", "=z", "C="}));
  EXPECT_TRUE(parse_environment_file("").empty());
}

}  // namespace
}  // namespace assay::daemon
