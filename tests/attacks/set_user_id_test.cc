// Row 23: programs that give privileges to whoever runs them, on the host and put in.
#include <fmt/format.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>

#include "os/file.h"
#include "tests/attacks/attack.h"
#include "tests/support/places.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using Attack23ProgramsPutIn = Attack;

// Who it is and what it may do, of all that show_privileges tells.
std::string privileges_in(const std::string& output) {
  std::string found;
  for (const std::string& line : lines_of(output))
    for (const std::string key : {"Uid:", "Gid:", "Groups:", "Cap", "NoNewPrivs:"})
      if (line.starts_with(key)) found += line + "\n";
  return found;
}

// As a user who has no privileges: in front of a command on the host. In a namespace of his own a
// plain user is root, and has others below him.
std::string as_nobody() {
  return ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups "
                          : "unshare --user --map-root-user --map-auto "
                            "setpriv --reuid=65534 --regid=65534 --clear-groups ";
}

std::string told_by(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> told(::popen((command + " 2>&1").c_str(), "r"),
                                                   ::pclose);
  std::string output;
  for (int byte = 0; (byte = ::fgetc(told.get())) != EOF;)
    output += static_cast<char>(byte);
  return output;
}

// Few enough for any bounding set: a file with more than that is not executed at all.
std::string give_capabilities(const std::string& path) {
  constexpr unsigned kSome = 1U << CAP_DAC_OVERRIDE | 1U << CAP_SETGID | 1U << CAP_SETUID;
  const vfs_cap_data some{.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
                          .data = {{.permitted = kSome, .inheritable = 0}, {}}};
  if (::geteuid() == 0)
    return ::setxattr(path.c_str(), "security.capability", &some, sizeof some, 0) == 0
               ? ""
               : strerrorname_np(errno);
  std::string bytes;
  for (const std::byte byte : std::as_bytes(std::span(&some, 1)))
    bytes += fmt::format("\\x{:02x}", std::to_integer<unsigned>(byte));
  return told_by("unshare --user --map-root-user python3 -c \"import os; os.setxattr('" + path +
                 "', 'security.capability', b'" + bytes + "')\"");
}

// Copies of a program in a directory of the host: one plain, one set-user-id and set-group-id of
// who runs assay, one with capabilities. An engine of its own may mount them.
class Attack23HostsPrograms : public Attack {
 protected:
  void SetUp() override {
    Attack::SetUp();
    if (IsSkipped()) return;
    if (::geteuid() != 0 && told_by(as_nobody() + "echo -n yes") != "yes")
      GTEST_SKIP() << "a plain user needs subordinate ids to make such files";
    std::string name = fs::temp_directory_path() / "assay-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home_ = name;
    fs::permissions(home_, fs::perms(0755));
    fs::create_directory(programs());
    for (const char* copy : {"plain", "set-user-id", "capable"})
      fs::copy_file(guest_path("show_privileges"), programs() / copy);
    ASSERT_EQ(::chmod((programs() / "set-user-id").c_str(), 06755), 0);
    ASSERT_EQ(give_capabilities(programs() / "capable"), "");
    start_engine();
  }
  void TearDown() override {
    mounting_.reset();
    if (!home_.empty()) fs::remove_all(home_);
    Attack::TearDown();
  }

  void start_engine() {
    fs::copy(tried_data() + "/profiles", home_ / "profiles", fs::copy_options::recursive);
    std::string text = os::read_whole(home_ / "profiles/default.toml").value();
    const std::string none = "host_prefixes = []";
    text.replace(text.find(none), none.size(), "host_prefixes = [\"" + programs().string() + "\"]");
    std::ofstream(home_ / "profiles/default.toml") << text;
    sandbox::Options changed = options();
    changed.profiles = home_ / "profiles";
    auto started = sandbox::Sandbox::start(changed);
    ASSERT_TRUE(started) << describe(started.error());
    mounting_ = std::move(*started);
  }

  std::string privileges_outside(const std::string& copy) {
    return privileges_in(told_by(as_nobody() + (programs() / copy).string()));
  }
  std::string privileges_inside(const std::string& copy) {
    Prepared job({.arguments = {"/mnt/" + copy}});
    job.spec.mounts = {{programs().string(), "/mnt", false}};
    const auto facts = mounting_->run(job.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    return privileges_in(job.outcome.output);
  }

  fs::path programs() const { return home_ / "programs"; }

  fs::path home_;
  std::optional<sandbox::Sandbox> mounting_;
};

TEST_F(Attack23HostsPrograms, GiveNothingInABoxThatTheyGiveOutside) {
  const std::string plain = privileges_inside("plain");
  EXPECT_TRUE(plain.contains("Uid:\t1000\t1000\t1000\t1000\n")) << plain;
  for (const std::string set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_TRUE(plain.contains(set + ":\t0000000000000000\n")) << plain;
  EXPECT_EQ(privileges_inside("set-user-id"), plain);
  EXPECT_EQ(privileges_inside("capable"), plain);
  // Else nothing was tried.
  EXPECT_TRUE(privileges_outside("set-user-id").contains("Uid:\t65534\t0\t0\t0\n"));
  EXPECT_TRUE(privileges_outside("capable").contains("CapEff:\t00000000000000c2\n"));
}

TEST_F(Attack23ProgramsPutIn, WithTheBitsGiveNothing) {
  Prepared plain({.guest = "show_privileges"});
  ASSERT_TRUE(engine().run(plain.spec));
  for (const unsigned mode : {04755U, 02755U, 06755U}) {
    Prepared job({.guest = "show_privileges"});
    job.spec.files_in.at(0).mode = mode;
    const auto facts = engine().run(job.spec);
    ASSERT_TRUE(facts) << describe(facts.error());
    EXPECT_EQ(privileges_in(job.outcome.output), privileges_in(plain.outcome.output)) << mode;
  }
}

}  // namespace
}  // namespace assay::test
