#include "app/daemon/config/mounts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::daemon {
namespace {

// In the shape of the file that go-judge ships.
constexpr const char* kShipped = R"(# paths of the host
mount:
  - type: bind
    source: /bin
    target: /bin
    readonly: true
  - type: bind
    source: containerPasswd.txt
    target: /etc/passwd
    readonly: true
  - type: bind
    source: dotenv
    target: /.env
    readonly: true
  - type: bind
    source: /dev/null
    target: /dev/null
  - type: tmpfs
    target: /w
    data: size=128m,nr_inodes=4k
  - type: tmpfs
    target: /tmp
    data: size=128m,nr_inodes=4k
proc: true
procrw: false
symLink:
  - linkPath: /dev/fd
    target: /proc/self/fd
maskPath:
  - /sys/firmware
workDir: /w
hostName: go-judge
domainName: go-judge
uid: 1536
gid: 1536
initCmd: ip link set dev lo up
)";

std::string refusal(const std::string& text) {
  const auto file = parse_mount_file("mount.yaml", text);
  return file ? "it was accepted" : file.error().context;
}

TEST(MountFile, HasEveryKeyOfTheShippedOne) {
  const auto file = parse_mount_file("mount.yaml", kShipped);
  ASSERT_TRUE(file) << describe(file.error());
  ASSERT_EQ(file->mounts.size(), 6U);
  EXPECT_EQ(file->mounts[0],
            (MountLine{.source = "/bin", .target = "/bin", .readonly = true, .line = 3}));
  EXPECT_EQ(file->mounts[3].readonly, false);
  EXPECT_EQ(file->mounts[4].kind, MountKind::Tmpfs);
  EXPECT_EQ(file->mounts[4].data, "size=128m,nr_inodes=4k");
  EXPECT_TRUE(file->proc);
  EXPECT_FALSE(file->proc_writable);
  ASSERT_EQ(file->links.size(), 1U);
  EXPECT_EQ(file->links[0].link_path, "/dev/fd");
  EXPECT_EQ(file->masked, std::vector<std::string>{"/sys/firmware"});
  EXPECT_EQ(file->work_dir, "/w");
  EXPECT_EQ(file->host_name, "go-judge");
  EXPECT_EQ(file->domain_name, "go-judge");
  EXPECT_EQ(file->uid, 1536U);
  EXPECT_EQ(file->gid, 1536U);
  EXPECT_EQ(file->init_command, "ip link set dev lo up");
  EXPECT_TRUE(file->unknown_keys.empty());
}

TEST(MountFile, OmittedLinksAndMasksAreTheDefaultsAndEmptyOnesAreNone) {
  const auto omitted = parse_mount_file("m", "proc: true");
  ASSERT_TRUE(omitted);
  EXPECT_EQ(omitted->links, default_mounts("").links);
  EXPECT_EQ(omitted->masked, default_mounts("").masked);
  const auto empty = parse_mount_file("m", "symLink: []\nmaskPath: []\n");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->links.empty());
  EXPECT_TRUE(empty->masked.empty());
}

TEST(MountFile, AnEmptyOneIsFine) {
  for (const char* text : {"", "# nothing\n", "---\n"})
    EXPECT_TRUE(parse_mount_file("m", text)) << text;
}

TEST(MountFile, EachMistakeIsNamedWithItsLine) {
  EXPECT_EQ(refusal("mount:\n  - type: bond\n    source: /a\n    target: /a\n"),
            "mount.yaml:2: 'bond' is neither bind nor tmpfs");
  EXPECT_EQ(refusal("mount:\n  - type: bind\n    target: /a\n"),
            "mount.yaml:2: a bind mount needs a source");
  EXPECT_EQ(refusal("mount:\n  - type: tmpfs\n"), "mount.yaml:2: a mount needs a target");
  EXPECT_EQ(refusal("mount:\n  - source: /a\n    target: /a\n"),
            "mount.yaml:2: a mount needs a type: bind or tmpfs");
  EXPECT_EQ(refusal("mount:\n  - type: bind\n    src: /a\n"), "mount.yaml:3: unknown key 'src'");
  EXPECT_EQ(refusal("proc: true\nmount: 3\n"), "mount.yaml:2: expected a list");
  EXPECT_EQ(refusal("proc: maybe\n"), "mount.yaml:1: expected true or false");
  EXPECT_EQ(refusal("uid: -1\n"), "mount.yaml:1: expected a number from 0 to 2147483647");
  EXPECT_EQ(refusal("gid: many\n"), "mount.yaml:1: expected a number from 0 to 2147483647");
  EXPECT_EQ(refusal("hostName: [a]\n"), "mount.yaml:1: expected a text");
  EXPECT_EQ(refusal("symLink:\n  - linkPath: /a\n"),
            "mount.yaml:2: a symLink needs a linkPath and a target");
  EXPECT_EQ(refusal("- a\n"), "mount.yaml:1: expected keys and values");
}

TEST(MountFile, WhatIsNoYamlIsNamedWithItsLine) {
  EXPECT_TRUE(refusal("proc: true\nmount: [\n").starts_with("mount.yaml:"));
  EXPECT_TRUE(refusal("a: 1\n\tb: 2\n").starts_with("mount.yaml:2:")) << refusal("a: 1\n\tb: 2\n");
  EXPECT_TRUE(refusal(std::string("proc: \"\x01\xff")).starts_with("mount.yaml:1"));
  EXPECT_NE(refusal(std::string(100000, '[')), "it was accepted");
}

TEST(MountFile, UnknownKeysAreTolerableButSaid) {
  const auto file = parse_mount_file("mount.yaml", "proc: true\nnewKey: 1\n");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->unknown_keys, std::vector<std::string>{"mount.yaml:2: unknown key 'newKey'"});
}

// yaml-cpp recurses, and knows where to stop.
TEST(MountFile, NestingBeyondReasonIsAMistakeAndNotTheEndOfUs) {
  for (const char* opening : {"[", "{", "- ", "? "}) {
    std::string text;
    while (text.size() < 200'000)
      text += opening;
    EXPECT_FALSE(parse_mount_file("mount.yaml", text)) << opening;
  }
}

TEST(MountFile, WithoutItABoxIsLikeGoJudges) {
  const MountFile file = default_mounts("size=1m");
  EXPECT_EQ(file.host_name, "executor_server");
  EXPECT_EQ(file.uid, 1000U);
  EXPECT_EQ(file.work_dir, "/w");
  EXPECT_TRUE(file.proc);
  EXPECT_EQ(file.links.size(), 4U);
  EXPECT_EQ(file.masked.size(), 13U);
  const auto tmpfs = std::ranges::count(file.mounts, MountKind::Tmpfs, &MountLine::kind);
  EXPECT_EQ(tmpfs, 2);
  EXPECT_EQ(file.mounts.size(), 16U);
  EXPECT_EQ(file.mounts.back().data, "size=1m");
}

}  // namespace
}  // namespace assay::daemon
