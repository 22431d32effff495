// `assay cache`, and the cache as `assay judge` uses it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/end_to_end/command.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

const std::string kProblem = ASSAY_SOURCE_DIR "/examples/a_plus_b";

Ran judge_with(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{assay_binary(), "judge",  "--problem",
                                kProblem,       "--json", kProblem + "/right.c"};
  if (::geteuid() != 0) argv.push_back("--allow-degraded");
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(argv);
}

bool was_cached(const Ran& ran) {
  return ran.out.contains(R"("cached":true)");
}

Ran cache_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv{assay_binary(), "cache"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return run_command(argv);
}

// Below a directory that everybody may enter: as root, the work is done as somebody else.
class CacheCommand : public ::testing::Test {
 protected:
  CacheCommand() { fs::permissions(scratch_.path(), fs::perms(0755)); }
  [[nodiscard]] std::string cache() const { return scratch_.path() + "/cache"; }
  Scratch scratch_;
};

TEST_F(CacheCommand, ASecondJudgingCompilesNothing) {
  const Ran first = judge_with({"--cache", cache()});
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  EXPECT_FALSE(was_cached(first)) << first.out;
  const Ran second = judge_with({"--cache", cache()});
  EXPECT_EQ(second.code, 0) << second.out << second.err;
  EXPECT_TRUE(was_cached(second)) << second.out;
  const Ran without = judge_with({"--cache", cache(), "--cache-level", "none"});
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_FALSE(was_cached(without)) << without.out;
  EXPECT_FALSE(was_cached(judge_with({"--cache-level", "transient"})));
}

TEST_F(CacheCommand, TellsTheSizeAndClears) {
  ASSERT_EQ(judge_with({"--cache", cache()}).code, 0);
  const Ran size = cache_command({"--cache", cache(), "--json"});
  EXPECT_EQ(size.code, 0) << size.err;
  EXPECT_EQ(json_field(size.out, "results"), "1") << size.out;
  EXPECT_NE(cache_command({"size", "--cache", cache()}).out.find("1 results, 1 files"),
            std::string::npos);
  const Ran clear = cache_command({"clear", "--cache", cache(), "--json"});
  EXPECT_EQ(clear.code, 0) << clear.err;
  EXPECT_EQ(json_field(clear.out, "removedResults"), "1") << clear.out;
  EXPECT_EQ(json_field(cache_command({"--cache", cache(), "--json"}).out, "results"), "0");
  EXPECT_EQ(judge_with({"--cache", cache()}).code, 0) << "and it is used again";
}

TEST_F(CacheCommand, ATamperedProgramIsASystemErrorUntilVerifyHasRemovedIt) {
  ASSERT_EQ(judge_with({"--cache", cache()}).code, 0);
  EXPECT_EQ(cache_command({"verify", "--cache", cache()}).code, 0);
  for (const auto& blob : fs::directory_iterator(cache() + "/store/blobs")) {
    fs::permissions(blob.path(), fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(blob.path(), std::ios::in | std::ios::out) << "tampered";
  }
  const Ran tampered = judge_with({"--cache", cache()});
  EXPECT_EQ(tampered.code, 2) << tampered.out;
  EXPECT_NE(tampered.out.find("assay cache clear"), std::string::npos) << tampered.out;
  const Ran verify = cache_command({"verify", "--cache", cache(), "--json"});
  EXPECT_EQ(verify.code, 1) << verify.out;
  EXPECT_EQ(json_field(verify.out, "bad"), "1") << verify.out;
  EXPECT_EQ(judge_with({"--cache", cache()}).code, 0);
}

TEST_F(CacheCommand, SeveralJudgingsAndClearingsAtOnceAllGoWell) {
  ASSERT_EQ(judge_with({"--cache", cache()}).code, 0);  // makes it
  std::vector<std::thread> threads;
  std::vector<Ran> ran(6);
  for (std::size_t i = 0; i < ran.size(); ++i)
    threads.emplace_back([&, i] {
      ran[i] = i % 3 != 2 ? judge_with({"--cache", cache()})
                          : cache_command({"clear", "--cache", cache()});
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const Ran& one : ran)
    EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_EQ(cache_command({"verify", "--cache", cache()}).code, 0);
}

TEST_F(CacheCommand, MistakesAreOneSentenceAndExitCodeTwo) {
  const Ran action = cache_command({"eat"});
  EXPECT_EQ(action.code, 2);
  EXPECT_NE(action.err.find("there are size, clear and verify"), std::string::npos) << action.err;
  const Ran nowhere = cache_command({"--cache", scratch_.path() + "/no"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("there is no cache"), std::string::npos) << nowhere.err;
  const Ran file = cache_command({"--cache", scratch_.write("file", "")});
  EXPECT_EQ(file.code, 2);
  EXPECT_NE(file.err.find("compile cache"), std::string::npos) << file.err;
}

}  // namespace
}  // namespace assay::test
