// What a spec may ask of a profile. Mounts are tried with a profile that allows some prefixes.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "os/file.h"
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

class Profiles : public BoxTest {
 protected:
  void SetUp() override {
    BoxTest::SetUp();
    if (IsSkipped()) return;
    std::string name = fs::temp_directory_path() / "assay-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    home_ = name;
    fs::permissions(home_, fs::perms(0755));
    for (const char* directory : {"shared", "shared/in", "open", "shared2"})
      fs::create_directory(home_ / directory);
    std::ofstream(home_ / "shared/in/file") << "shared";
    std::ofstream(home_ / "secret") << "secret";
    fs::create_symlink(home_ / "secret", home_ / "shared/link");
    fs::create_directory_symlink(home_, home_ / "shared/dir_link");
    fs::permissions(home_ / "open", fs::perms(0777));
    fs::copy(ASSAY_SOURCE_DIR "/profiles", home_ / "profiles", fs::copy_options::recursive);
    std::string text = os::read_whole(home_ / "profiles/default.toml").value();
    replace(text, "host_prefixes = []",
            "host_prefixes = [\"" + (home_ / "shared").string() + "\"]");
    replace(text, "host_prefixes_writable = []",
            "host_prefixes_writable = [\"" + (home_ / "open").string() + "\"]");
    std::ofstream(home_ / "profiles/default.toml") << text;
    sandbox::Options options = BoxTest::options();
    options.profiles = home_ / "profiles";
    auto started = sandbox::Sandbox::start(options);
    ASSERT_TRUE(started) << describe(started.error());
    mounting_ = std::move(*started);
  }
  void TearDown() override {
    mounting_.reset();
    if (!home_.empty()) fs::remove_all(home_);
    BoxTest::TearDown();
  }

  static void replace(std::string& text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  }

  Result<Outcome> run_with(const sandbox::HostMount& mount, const std::string& script) {
    Prepared job({.arguments = {"sh", "-c", script}});
    job.spec.mounts = {{(home_ / mount.source).string(), mount.target, mount.writable}};
    job.finish(TRY(mounting_->run(job.spec)));
    return std::move(job.outcome);
  }

  fs::path home_;
  std::optional<sandbox::Sandbox> mounting_;
};

TEST_F(Profiles, AnUnknownProfileIsRefused) {
  for (const std::string name :
       {"no-such", "../default", "", "/etc/passwd", "default.toml", "DEFAULT"}) {
    const auto outcome = try_run({.guest = "exit_code", .profile = name});
    ASSERT_FALSE(outcome) << name;
    EXPECT_NE(outcome.error().fault, Fault::System) << describe(outcome.error());
  }
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Profiles, TheShippedOnesMountNothingOfTheHost) {
  for (const std::string source : {"/tmp", "/etc", "/", "/proc"}) {
    Prepared job({.guest = "exit_code"});
    job.spec.mounts = {{source, "/mnt", false}};
    const auto facts = engine().run(job.spec);
    ASSERT_FALSE(facts) << source;
    EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
  }
}

TEST_F(Profiles, AnAllowedPrefixIsMountedReadOnly) {
  const auto outcome = run_with({"shared", "/mnt"}, "cat /mnt/in/file; echo x > /mnt/in/file");
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(outcome->output, "shared");
  EXPECT_TRUE(outcome->errors.contains("Read-only")) << *outcome;
  EXPECT_EQ(os::read_whole(home_ / "shared/in/file").value(), "shared");
}

TEST_F(Profiles, APrefixThatIsWritableCanBeMountedSo) {
  const auto outcome = run_with({"open", "/mnt", true}, "echo x > /mnt/new && cat /mnt/new");
  ASSERT_TRUE(outcome) << describe(outcome.error());
  EXPECT_EQ(outcome->output, "x\n") << *outcome;
}

TEST_F(Profiles, OtherHostPathsAreRefused) {
  const std::vector<sandbox::HostMount> refused = {
      {"shared2", "/mnt"},      {"secret", "/mnt"},           {"", "/mnt"},
      {"shared", "/mnt", true}, {"shared/../secret", "/mnt"}, {"shared/./in", "/mnt"},
      {"no-such", "/mnt"}};
  for (const auto& mount : refused) {
    const auto outcome = run_with(mount, "true");
    ASSERT_FALSE(outcome) << mount.source;
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest) << describe(outcome.error());
  }
}

TEST_F(Profiles, ALinkUnderAnAllowedPrefixIsNotFollowed) {
  for (const std::string source : {"shared/link", "shared/dir_link", "shared/dir_link/secret"}) {
    const auto outcome = run_with({source, "/mnt"}, "cat /mnt /mnt/secret");
    EXPECT_FALSE(outcome && outcome->output.contains("secret")) << source;
  }
}

TEST_F(Profiles, AMissingSourceIsAnErrorAndTheEngineGoesOn) {
  const auto outcome = run_with({"shared/none", "/mnt"}, "true");
  EXPECT_FALSE(outcome);
  EXPECT_TRUE(run_with({"shared", "/mnt"}, "true"));
}

TEST_F(Profiles, AMountMayNotCoverWhatTheProfileMakes) {
  for (const std::string target :
       {"/", "/w", "/w/x", "/proc", "/proc/self", "/dev", "/dev/null", "/usr", "/usr/bin",
        "/etc/passwd", "relative", "/mnt/../w", ""}) {
    const auto outcome = run_with({"shared", target}, "true");
    ASSERT_FALSE(outcome) << target;
    EXPECT_EQ(outcome.error().fault, Fault::InvalidRequest) << describe(outcome.error());
  }
}

TEST_F(Profiles, ARunWithoutMountsDoesNotGetABoxWithThem) {
  ASSERT_TRUE(run_with({"shared", "/mnt"}, "true"));
  const auto facts = mounting_->run({.argv = {"/bin/sh", "-c", "test ! -e /mnt"}});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->end, sandbox::End(sandbox::Exited{0}));
}

}  // namespace
}  // namespace assay::test
