#include "app/daemon/host_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include "os/packet.h"

namespace assay::daemon {
namespace {

namespace fs = std::filesystem;
using Prefixes = std::vector<std::string>;

class HostFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "assay-host-file-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
    fs::create_directories(root_ + "/in/deep");
    fs::create_directories(root_ + "/in2");
    write("/in/a", "inside");
    write("/in2/b", "beside");
    write("/secret", "outside");
    fs::create_symlink(root_ + "/secret", root_ + "/in/leak");
    fs::create_symlink("a", root_ + "/in/link");
    fs::create_symlink(root_ + "/in", root_ + "/way");
    fs::create_symlink("nowhere", root_ + "/in/dangling");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(root_ + name) << content;
  }
  [[nodiscard]] std::string read(const std::string& name, const Prefixes& prefixes) const {
    const auto file = open_host_file(root_ + name, prefixes);
    if (!file) return describe(file.error());
    std::array<char, 64> text{};
    const ssize_t size = ::read(file->get(), text.data(), text.size());
    return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  [[nodiscard]] Error refusal(const std::string& path, const Prefixes& prefixes) const {
    const auto file = open_host_file(path, prefixes);
    EXPECT_FALSE(file) << path;
    return file ? Error{} : file.error();
  }
  [[nodiscard]] std::string outside(const std::string& path) const {
    return "file (" + path + ") does not under ([" + root_ + "/in])";
  }

  std::string root_;
};

TEST_F(HostFileTest, BelowAPrefixIsRead) {
  const Prefixes in{root_ + "/in"};
  EXPECT_EQ(read("/in/a", in), "inside");
  EXPECT_EQ(read("/in/deep/../a", in), "inside");
  EXPECT_EQ(read("/in/link", in), "inside");
  EXPECT_EQ(read("/way/a", in), "inside");
  EXPECT_EQ(read("/in/a", {root_ + "/way/"}), "inside");
  EXPECT_EQ(read("/in2/b", {root_ + "/none", root_ + "/in2"}), "beside");
  EXPECT_EQ(read("/secret", {}), "outside");
}

TEST_F(HostFileTest, OutsideEveryPrefixIsInvalidWhetherItExistsOrNot) {
  const Prefixes in{root_ + "/in"};
  for (const char* name :
       {"/secret", "/in2/b", "/in/../secret", "/in/leak", "/none", "/in2/none"}) {
    const Error error = refusal(root_ + name, in);
    EXPECT_EQ(error.fault, Fault::InvalidRequest) << name;
    EXPECT_EQ(error.context, outside(root_ + name));
  }
  EXPECT_EQ(refusal("/etc/passwd", {"/a", "/b"}).context,
            "file (/etc/passwd) does not under ([/a /b])");
}

TEST_F(HostFileTest, MissingIsNotFound) {
  for (const Prefixes& prefixes : {Prefixes{}, Prefixes{root_ + "/in"}})
    for (const char* name : {"/in/none", "/in/dangling", "/in/a/below"}) {
      const Error error = refusal(root_ + name, prefixes);
      EXPECT_EQ(error.fault, Fault::NotFound) << name;
    }
}

TEST_F(HostFileTest, OnlyRegularFilesAreOpenedAndNothingIsWaitedFor) {
  ASSERT_EQ(::mkfifo((root_ + "/in/fifo").c_str(), 0666), 0);
  EXPECT_EQ(refusal(root_ + "/in", {}).code, EISDIR);
  EXPECT_EQ(refusal(root_ + "/in/deep", {root_ + "/in"}).code, EISDIR);
  EXPECT_EQ(refusal(root_ + "/in/fifo", {}).code, EINVAL);
}

TEST_F(HostFileTest, TheKernelsFilesAreNeverOpened) {
  fs::create_symlink("/proc/self/environ", root_ + "/in/sneaky");
  for (const std::string& path :
       {std::string("/proc/self/environ"), std::string("/proc/1/cmdline"),
        std::string("/proc/version"), std::string("/sys/kernel/mm/transparent_hugepage/enabled"),
        std::string("/dev/null"), root_ + "/in/sneaky"})
    for (const Prefixes& prefixes : {Prefixes{}, Prefixes{"/"}, Prefixes{"/proc"}})
      EXPECT_FALSE(open_host_file(path, prefixes)) << path;
}

TEST_F(HostFileTest, APrefixInDevShmInvitesItsFiles) {
  std::string pattern = "/dev/shm/assay-host-file-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) GTEST_SKIP() << "no /dev/shm to write to";
  std::ofstream(pattern + "/x") << "x";
  EXPECT_TRUE(open_host_file(pattern + "/x", {pattern}));
  EXPECT_FALSE(open_host_file(pattern + "/x", {}));
  EXPECT_FALSE(open_host_file(pattern + "/x", {"/"}));
  fs::remove_all(pattern);
}

TEST_F(HostFileTest, WhatIsNoPathIsInvalid) {
  for (const std::string& path : {std::string(), std::string(5000, 'a'), std::string("/a\0b", 4)})
    EXPECT_EQ(refusal(path, {}).fault, Fault::InvalidRequest);
}

TEST_F(HostFileTest, TheOpenerAnswersOverItsSocketUntilItCloses) {
  auto pair = os::make_packet_pair();
  ASSERT_TRUE(pair);
  std::thread opener([&] { serve_host_files(pair->theirs.get(), {root_ + "/in"}); });
  {
    HostFiles files(std::move(pair->ours));
    const auto good = files.open(root_ + "/in/a");
    EXPECT_TRUE(good) << describe(good.error());
    EXPECT_EQ(::fcntl(good->get(), F_GETFL) & O_ACCMODE, O_RDONLY);
    EXPECT_EQ(files.open(root_ + "/in/none").error().fault, Fault::NotFound);
    EXPECT_EQ(files.open(root_ + "/secret").error().context, outside(root_ + "/secret"));
    EXPECT_EQ(files.open(root_ + "/in/deep").error().code, EISDIR);
    EXPECT_TRUE(files.open(root_ + "/in/link"));
  }
  opener.join();
}

TEST_F(HostFileTest, AnOpenerThatIsGoneIsAnErrorOfOurs) {
  auto pair = os::make_packet_pair();
  ASSERT_TRUE(pair);
  HostFiles files(std::move(pair->ours));
  pair->theirs.reset();
  const auto file = files.open(root_ + "/in/a");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().fault, Fault::System);
}

}  // namespace
}  // namespace assay::daemon
