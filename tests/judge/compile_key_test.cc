#include "judge/compile_key.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace assay::judge {
namespace {

class CompileKeys : public ::testing::Test {
 protected:
  CompileKeys() {
    std::string name = (std::filesystem::temp_directory_path() / "assay-key-XXXXXX").string();
    base_ = ::mkdtemp(name.data());
    std::filesystem::create_directory(base_ + "/bin");
    write("bin/real-1.0", "one");
    std::filesystem::create_symlink("real-1.0", base_ + "/bin/tool");
    std::filesystem::create_symlink("/usr/bin/tool", base_ + "/bin/alias");
    profiles_["compile"] = {"d1",
                            {.environment = {"PATH=/bin:/usr/bin"}, .mounts = {{base_, "/usr"}}}};
  }
  ~CompileKeys() override { std::filesystem::remove_all(base_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(base_ + "/" + name) << text;
  }
  [[nodiscard]] std::string stamp(const std::string& program) const {
    return tool_stamp(program, profiles_.at("compile").profile);
  }

  std::string base_;
  ProfileStamps profiles_;
};

TEST_F(CompileKeys, KnowAToolByTheFileThatTheBoxWouldStart) {
  EXPECT_TRUE(stamp("tool").starts_with("/usr/bin/real-1.0 ")) << stamp("tool");
  EXPECT_EQ(stamp("tool"), stamp("/usr/bin/tool"));
  EXPECT_EQ(stamp("alias"), stamp("tool")) << "an absolute link is one of the box";
  EXPECT_EQ(stamp("no-such-tool"), "none");
}

TEST_F(CompileKeys, ChangeWithTheToolEvenWhenItsTimeAndSizeArePutBack) {
  const std::string before = stamp("tool");
  struct stat state{};
  ASSERT_EQ(::stat((base_ + "/bin/real-1.0").c_str(), &state), 0);
  write("bin/real-1.0", "two");
  const timespec times[2] = {state.st_atim, state.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, (base_ + "/bin/real-1.0").c_str(), times, 0), 0);
  EXPECT_NE(stamp("tool"), before);
}

TEST_F(CompileKeys, ChangeWhenALinkLeadsToAnotherTool) {
  const std::string before = stamp("tool");
  write("bin/real-2.0", "one");
  std::filesystem::remove(base_ + "/bin/tool");
  std::filesystem::create_symlink("real-2.0", base_ + "/bin/tool");
  EXPECT_NE(stamp("tool"), before);
}

TEST_F(CompileKeys, LinksInACircleAreNoTool) {
  std::filesystem::create_symlink("round", base_ + "/bin/round");
  EXPECT_EQ(stamp("round"), "none");
}

TEST_F(CompileKeys, AreTheSameForTheSameAndDifferInEveryPart) {
  using Files = std::vector<ProgramFile>;
  using Steps = std::vector<Invocation>;
  const Steps steps{{.profile = "compile", .argv = {"tool", "a"}, .outputs = {"main"}}};
  const Files files{{"main.c", "int main;"}};
  const std::vector<std::string> results{"main"};
  const auto key = [&](const Steps& s, const Files& f, const std::vector<std::string>& r,
                       const sandbox::Limits& limits = {}) {
    return compile_key({.steps = s, .files = f, .results = r, .limits = limits}, profiles_).value();
  };
  std::set<std::string> keys{key(steps, files, results)};
  EXPECT_TRUE(keys.contains(key(steps, files, results)));
  const auto is_new = [&](const std::string& one) {
    return keys.insert(one).second;
  };

  Steps other = steps;
  other[0].argv = {"tool", "b"};
  EXPECT_TRUE(is_new(key(other, files, results))) << "a flag";
  other[0].argv = {"toola"};
  EXPECT_TRUE(is_new(key(other, files, results))) << "where a word ends";
  other = steps;
  other[0].environment = {"A=1"};
  EXPECT_TRUE(is_new(key(other, files, results))) << "the environment";
  other = steps;
  other[0].limits.memory = 1_GiB;
  EXPECT_TRUE(is_new(key(other, files, results))) << "a limit of a step";
  other = steps;
  other[0].outputs = {"main", "more"};
  EXPECT_TRUE(is_new(key(other, files, results))) << "another output";
  EXPECT_TRUE(is_new(key({steps[0], steps[0]}, files, results))) << "another step";
  EXPECT_TRUE(is_new(key(steps, {{"main.c", "int main; "}}, results))) << "the content";
  EXPECT_TRUE(is_new(key(steps, {{"main.h", "int main;"}}, results))) << "the name";
  EXPECT_TRUE(is_new(key(steps, {{"main.c", "int main;", true}}, results))) << "the exec bit";
  EXPECT_TRUE(is_new(key(steps, {files[0], {"x", ""}}, results))) << "another file";
  EXPECT_TRUE(is_new(key(steps, files, {"other"}))) << "what is kept";
  EXPECT_TRUE(is_new(key(steps, files, results, {.processes = 3}))) << "a limit of the policy";
  profiles_["compile"].digest = "d2";
  EXPECT_TRUE(is_new(key(steps, files, results))) << "the profile";
  write("bin/real-1.0", "three");
  EXPECT_TRUE(is_new(key(steps, files, results))) << "the compiler";
}

TEST_F(CompileKeys, AStepUnderAnUnknownProfileIsOurFailure) {
  const std::vector<Invocation> steps{{.profile = "other", .argv = {"tool"}}};
  EXPECT_FALSE(compile_key({.steps = steps}, profiles_));
}

TEST(ProfileStamps, CoverTheProfileAndItsFilter) {
  const auto languages = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "assay-stamps-XXXXXX").string();
  const fs::path base = ::mkdtemp(name.data());
  fs::copy(ASSAY_SOURCE_DIR "/profiles", base, fs::copy_options::recursive);
  const auto digest = [&] {
    return load_profile_stamps(base, languages).value().at("compile").digest;
  };
  const std::string first = digest();
  EXPECT_EQ(digest(), first);
  std::ofstream(base / "compile.toml", std::ios::app) << "# changed\n";
  const std::string second = digest();
  EXPECT_NE(second, first);
  std::ofstream(base / "seccomp/default.json", std::ios::app) << "\n";
  EXPECT_NE(digest(), second);
  fs::remove_all(base);
  EXPECT_FALSE(load_profile_stamps(base, languages));
}

}  // namespace
}  // namespace assay::judge
