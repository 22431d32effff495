// `assay attack` on a host without a build: it tries the engine that is installed there, with the
// profiles that its operator left.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

class AttackInstalled : public testing::Test {
 protected:
  AttackInstalled() {
    std::string name = testing::TempDir() + "installed-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    place_ = name;
    fs::permissions(place_, fs::perms(0755));  // a box's own ids look its programs up
  }
  ~AttackInstalled() override { fs::remove_all(place_); }

  void install(const std::string& component) const {
    std::vector<std::string> words{"/usr/bin/env",      "cmake",    "--install",
                                   ASSAY_BIN_DIR "/..", "--prefix", place_};
    if (!component.empty()) words.insert(words.end(), {"--component", component});
    const Ran ran = run_command(words);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  Ran attack(const std::string& row) const {
    return run_command({place_ / "bin/assay", "attack", "--allow-degraded", row});
  }
  // The shipped table has attempts that take long.
  void try_only(const std::string& tests) const {
    std::ofstream(place_ / "share/assay/tests/attacks/rows.toml")
        << "[[row]]\nid = \"1\"\nwhat = \"w\"\nstopped_by = \"s\"\ntests = [" << tests << "]\n";
  }
  void replace_in_profile(const std::string& from, const std::string& to) const {
    const fs::path path = place_ / "share/assay/profiles/default.toml";
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::string changed = text.str();
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos);
    std::ofstream(path) << changed.replace(at, from.size(), to);
  }

  fs::path place_;
};

TEST_F(AttackInstalled, SaysWhatIsMissing) {
  install("");
  const Ran ran = attack("25");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("--component attacks"), std::string::npos) << ran.err;
}

TEST_F(AttackInstalled, TriesTheProfilesOfThatInstallation) {
  install("");
  install("attacks");
  try_only(R"("Attack25Devices.*", "test_judging:CanaryTest.*")");
  const Ran shipped = attack("1");
  EXPECT_EQ(shipped.code, 0) << shipped.out << shipped.err;
  EXPECT_NE(shipped.out.find("boxes are "), std::string::npos) << shipped.out;
  replace_in_profile(
      R"({ source = "/dev/zero", device = true })",
      R"({ source = "/dev/zero", device = true }, { source = "/dev/kmsg", device = true })");
  const Ran opened = attack("1");
  EXPECT_EQ(opened.code, 1) << opened.out << opened.err;
  EXPECT_NE(opened.out.find("not stopped"), std::string::npos) << opened.out;
}

TEST_F(AttackInstalled, TriesTheDaemonOfThatInstallation) {
  if (::geteuid() != 0) GTEST_SKIP() << "as a plain user this daemon has no full boxes";
  install("");
  install("attacks");
  try_only(R"("test_end_to_end:HostileRuns.AStoredFile*")");
  const Ran shipped = attack("1");
  EXPECT_EQ(shipped.code, 0) << shipped.out << shipped.err;
  fs::remove(place_ / "bin/assayd");
  EXPECT_EQ(attack("1").code, 1) << "that of the build was tried";
}

}  // namespace
}  // namespace assay::test
