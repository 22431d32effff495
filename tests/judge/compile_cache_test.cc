#include "judge/compile_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "os/file.h"
#include "store/digest.h"

namespace assay::judge {
namespace {

namespace fs = std::filesystem;

class CompileCaches : public ::testing::Test {
 protected:
  CompileCaches() {
    std::string name = (fs::temp_directory_path() / "assay-cache-XXXXXX").string();
    base_ = ::mkdtemp(name.data());
  }
  ~CompileCaches() override { fs::remove_all(base_); }

  [[nodiscard]] CompileCacheOptions options() const { return {.directory = base_ + "/cache"}; }
  [[nodiscard]] CompileCache open() const { return CompileCache::open(options()).value(); }
  static std::string key(char letter) { return std::string(64, letter); }
  static void keep(CompileCache& cache, const std::string& at, const std::string& first,
                   const std::string& second) {
    std::vector<NewFile> files;
    files.push_back({.name = "main", .executable = true, .content = first});
    files.push_back({.name = "data", .content = second});
    ASSERT_TRUE(cache.keep(at, {.ok = true, .exit_code = 0, .log = "said"}, std::move(files)));
  }
  // Of every stored file with this content.
  void for_content(const std::string& content, const auto& act) const {
    for (const auto& blob : fs::directory_iterator(base_ + "/cache/store/blobs"))
      if (blob.path().filename() == store::digest_of(content)) act(blob.path());
  }
  void overwrite(const std::string& content, const std::string& with) const {
    int found = 0;
    for_content(content, [&](const fs::path& path) {
      fs::permissions(path, fs::perms::owner_write, fs::perm_options::add);
      std::ofstream(path, std::ios::in | std::ios::out) << with;
      ++found;
    });
    EXPECT_EQ(found, 1);
  }
  // Every name of a blob: as a hand that deletes in the store would.
  void erase(const std::string& content) const {
    for_content(content, [&](const fs::path& path) {
      for (const auto& file : fs::directory_iterator(base_ + "/cache/store/files"))
        if (fs::equivalent(file.path(), path)) fs::remove(file.path());
      fs::remove(path);
    });
  }

  std::string base_;
};

TEST_F(CompileCaches, GiveBackEveryFileWithItsBitsAndWhatWasSaid) {
  CompileCache cache = open();
  EXPECT_FALSE(cache.find(key('a')).value());
  keep(cache, key('a'), "program", "");
  const auto kept = cache.find(key('a')).value();
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->entry.result.log, "said");
  ASSERT_EQ(kept->entry.files.size(), 2U);
  EXPECT_TRUE(kept->entry.files[0].executable);
  EXPECT_FALSE(kept->entry.files[1].executable);
  EXPECT_EQ(cache.text(*kept, 0).value(), "program");
  EXPECT_EQ(cache.text(*kept, 1).value(), "");
  EXPECT_FALSE(cache.find(key('b')).value());
}

TEST_F(CompileCaches, AreThereForTheNextProcess) {
  {
    CompileCache cache = open();
    keep(cache, key('a'), "program", "data");
  }
  CompileCache again = open();
  const auto kept = again.find(key('a')).value();
  ASSERT_TRUE(kept);
  EXPECT_EQ(again.text(*kept, 0).value(), "program");
}

TEST_F(CompileCaches, AResultWithAFileGoneIsGoneWhichEverFileItWas) {
  for (const char* const which : {"program", "data"}) {
    CompileCache cache = open();
    keep(cache, key('a'), "program", "data");
    erase(which);
    EXPECT_FALSE(cache.find(key('a')).value()) << which;
    EXPECT_EQ(cache.size().value().entries, 0U) << which;
    EXPECT_EQ(cache.size().value().files, 0U) << "its other file goes with it";
  }
}

TEST_F(CompileCaches, ATamperedFileIsAnErrorThatSaysWhatToDoWhichEverFileItWas) {
  for (const char* const which : {"program", "data"}) {
    CompileCache cache = open();
    ASSERT_TRUE(cache.clear());
    keep(cache, key('a'), "program", "data");
    overwrite(which, "X");
    const auto kept = cache.find(key('a')).value();
    ASSERT_TRUE(kept);
    const bool first = std::string(which) == "program";
    EXPECT_TRUE(cache.text(*kept, first ? 1 : 0)) << which;
    const auto text = cache.text(*kept, first ? 0 : 1);
    ASSERT_FALSE(text) << which;
    EXPECT_EQ(text.error().fault, Fault::System);
    EXPECT_NE(describe(text.error()).find("assay cache clear"), std::string::npos);
    EXPECT_FALSE(cache.sealed(*kept, first ? 0 : 1)) << which;
  }
}

TEST_F(CompileCaches, WithoutTheIntegrityCheckNobodyLooks) {
  CompileCacheOptions careless = options();
  careless.check_integrity = false;
  CompileCache cache = CompileCache::open(careless).value();
  keep(cache, key('a'), "program", "data");
  overwrite("program", "X");
  EXPECT_EQ(cache.text(*cache.find(key('a')).value(), 0).value(), "Xrogram");
}

TEST_F(CompileCaches, AFileOfAnotherLengthIsMovedAsideAndTheResultGone) {
  CompileCache cache = open();
  keep(cache, key('a'), "program", "data");
  overwrite("program", "a longer program");
  EXPECT_FALSE(cache.find(key('a')).value());
}

TEST_F(CompileCaches, ATamperedEntryIsNoEntry) {
  CompileCache cache = open();
  const std::string file = base_ + "/cache/index/" + key('a');
  keep(cache, key('a'), "program", "data");
  std::string text = os::read_whole(file).value();
  const std::size_t bit = text.find("\n1 1\n", text.find("main"));
  ASSERT_NE(bit, std::string::npos);
  text[bit + 3] = '0';  // the exec bit of the first file
  std::ofstream(file) << text;
  EXPECT_FALSE(cache.find(key('a')).value());
  EXPECT_FALSE(fs::exists(file));
  keep(cache, key('a'), "program", "data");
  EXPECT_TRUE(cache.find(key('a')).value());
}

TEST_F(CompileCaches, AnEntryThatIsALinkOrADirectoryIsNoEntry) {
  CompileCache cache = open();
  const std::string file = base_ + "/cache/index/" + key('a');
  fs::create_symlink("/etc/passwd", file);
  EXPECT_FALSE(cache.find(key('a')).value());
  EXPECT_FALSE(fs::is_symlink(file));
}

TEST_F(CompileCaches, TheFirstOfTwoResultsStaysAndNothingOfTheSecond) {
  CompileCache cache = open();
  keep(cache, key('a'), "first", "data");
  keep(cache, key('a'), "second", "data");
  EXPECT_EQ(cache.text(*cache.find(key('a')).value(), 0).value(), "first");
  EXPECT_EQ(cache.size().value().files, 2U);
}

TEST_F(CompileCaches, SealedFilesCannotBeChanged) {
  CompileCache cache = open();
  keep(cache, key('a'), "program", "data");
  const os::OwnedFd file = cache.sealed(*cache.find(key('a')).value(), 0).value();
  EXPECT_EQ(os::read_from_start(file.get()).value(), "program");
  EXPECT_LT(::pwrite(file.get(), "X", 1, 0), 0);
  EXPECT_LT(::ftruncate(file.get(), 0), 0);
}

TEST_F(CompileCaches, ClearingLeavesEveryDirectoryAndLockAndWhatIsOpen) {
  CompileCache cache = open();
  CompileCache other = open();
  keep(cache, key('a'), "program", "data");
  const auto kept = other.find(key('a')).value();
  std::vector<fs::path> before;
  for (const auto& file : fs::recursive_directory_iterator(base_))
    if (file.is_directory() || file.path().filename() == "lock") before.push_back(file.path());
  ASSERT_TRUE(cache.clear());
  for (const fs::path& path : before)
    EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_EQ(other.text(*kept, 0).value(), "program") << "held open";
  EXPECT_FALSE(other.find(key('a')).value());
  EXPECT_EQ(cache.size().value().entries, 0U);
  EXPECT_EQ(cache.size().value().bytes, 0_B);
  keep(other, key('a'), "program", "data");
  EXPECT_TRUE(cache.find(key('a')).value());
}

TEST_F(CompileCaches, VerifyingRemovesWhatIsDamagedAndKeepsTheRest) {
  CompileCache cache = open();
  keep(cache, key('a'), "program", "data");
  keep(cache, key('b'), "another", "thing");
  overwrite("program", "X");
  std::ofstream(base_ + "/cache/index/" + key('c')) << "nonsense";
  const auto check = cache.verify().value();
  EXPECT_EQ(check.good, 1U);
  EXPECT_EQ(check.bad, 2U);
  EXPECT_FALSE(cache.find(key('a')).value());
  EXPECT_TRUE(cache.find(key('b')).value());
  EXPECT_EQ(cache.verify().value().bad, 0U);
}

TEST_F(CompileCaches, TheOldestFilesMakeRoomAndTheirResultsAreGone) {
  CompileCacheOptions small = options();
  small.quota = 64_KiB;
  CompileCache cache = CompileCache::open(small).value();
  for (char letter = 'a'; letter <= 'f'; ++letter)
    keep(cache, key(letter), std::string(20000, letter), "");
  EXPECT_FALSE(cache.find(key('a')).value());
  EXPECT_TRUE(cache.find(key('f')).value());
  EXPECT_LE(cache.size().value().bytes, 64_KiB);
  keep(cache, key('0'), "sweeps", "");
  EXPECT_LE(cache.size().value().entries, 4U) << "entries without files are swept now and then";
}

TEST_F(CompileCaches, ACacheThatCannotBeMadeIsOneClearError) {
  const auto nowhere = CompileCache::open({.directory = "/proc/assay-cache"});
  ASSERT_FALSE(nowhere);
  EXPECT_NE(describe(nowhere.error()).find("compile cache"), std::string::npos);
  EXPECT_FALSE(CompileCache::open({}));
}

// Two processes that keep, find and clear the same few results as fast as they can.
int hammer(const CompileCacheOptions& options, unsigned seed) {
  auto cache = CompileCache::open(options);
  if (!cache) return 2;
  for (unsigned i = 0; i < 300; ++i) {
    const std::string at(64, static_cast<char>('a' + (i * 7 + seed) % 4));
    const auto kept = cache->find(at);
    if (!kept) return 3;
    if (*kept && cache->text(**kept, 0).value_or("?") != "program of " + at) return 4;
    const std::string content = "program of " + at;
    std::vector<NewFile> files;
    files.push_back({.name = "main", .executable = true, .content = content});
    if (!*kept && !cache->keep(at, {.ok = true, .exit_code = 0}, std::move(files))) return 5;
    if (i % 50 == seed % 50 && !cache->clear()) return 6;
  }
  return 0;
}

TEST_F(CompileCaches, SeveralProcessesKeepFindAndClearAtOnceAndOnlyTheTruthIsFound) {
  std::vector<pid_t> children;
  for (unsigned seed = 0; seed < 4; ++seed) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(hammer(options(), seed));
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  CompileCache cache = open();
  EXPECT_EQ(cache.verify().value().bad, 0U);
}

}  // namespace
}  // namespace assay::judge
