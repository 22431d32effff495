#include "store/store.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "os/file.h"
#include "tests/store/fixture.h"

namespace assay::store {
namespace {

TEST_F(StoreTest, GivesBackWhatWasAdded) {
  Store store = *Store::open(options());
  const std::string bytes("zero \0 and \xff bytes", 17);
  const auto before = std::chrono::system_clock::now();
  const std::string id = *store.add("a.txt", bytes);
  const auto opened = store.get(id);
  ASSERT_TRUE(opened);
  EXPECT_EQ(read_back(*opened), bytes);
  EXPECT_EQ(opened->name, "a.txt");
  EXPECT_EQ(opened->size, Bytes{bytes.size()});
  EXPECT_GE(opened->modified, before);
  EXPECT_LE(opened->modified, std::chrono::system_clock::now());
}

TEST_F(StoreTest, TellsTheSizeOfEveryFileThatGetsAnId) {
  Store store = *Store::open(options());
  std::vector<std::uint64_t> sizes;
  store.when_added([&](Bytes size) { sizes.push_back(size.count); });
  ASSERT_TRUE(store.add("a", "12345"));
  ASSERT_TRUE(store.add("again", "12345"));
  auto file = store.scratch();
  ASSERT_TRUE(file);
  ASSERT_TRUE(os::write_all(file->get(), "of a run"));
  ASSERT_TRUE(store.keep("kept", *std::move(file)));
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{5, 5, 8}));
}

TEST_F(StoreTest, HandsOutDescriptorsThatCannotBeWritten) {
  Store store = *Store::open(options());
  const auto opened = store.get(*store.add("a", "abc"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(::write(opened->file.get(), "x", 1), -1);
  EXPECT_EQ(::ftruncate(opened->file.get(), 0), -1);
  EXPECT_EQ(::lseek(opened->file.get(), 0, SEEK_CUR), 0);
}

TEST_F(StoreTest, KeepsAnEmptyFile) {
  Store store = *Store::open(options());
  const std::string added = *store.add("", "");
  const std::string kept = keep_bytes(store, "", "");
  EXPECT_EQ(contents(store, added), "");
  EXPECT_EQ(contents(store, kept), "");
  EXPECT_EQ(store.totals().files, 2U);
  EXPECT_EQ(store.totals().bytes, 0_B);
}

TEST_F(StoreTest, GivesEachAddANewIdThatLooksLikeGoJudges) {
  Store store = *Store::open(options());
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = *store.add("same", "same");
    EXPECT_EQ(id.size(), 16U);
    EXPECT_EQ(id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"), std::string::npos);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000U);
}

TEST_F(StoreTest, StoresEqualContentsOnce) {
  Store store = *Store::open(options());
  const std::string first = *store.add("a", "equal bytes");
  const std::string second = *store.add("b", "equal bytes");
  const std::string third = keep_bytes(store, "c", "equal bytes");
  EXPECT_EQ(store.totals().files, 3U);
  EXPECT_EQ(store.totals().bytes, 11_B);
  EXPECT_EQ(entries(path() + "/blobs"), 1U);
  ASSERT_TRUE(store.remove(first));
  ASSERT_TRUE(store.remove(third));
  EXPECT_EQ(contents(store, second), "equal bytes");
  ASSERT_TRUE(store.remove(second));
  EXPECT_EQ(entries(path() + "/blobs"), 0U);
  EXPECT_EQ(entries(path() + "/files"), 0U);
  EXPECT_EQ(entries(path() + "/ids"), 0U);
}

TEST_F(StoreTest, KeepsAScratchFileWithoutCopyingIt) {
  Store store = *Store::open(options());
  auto file = store.scratch();
  ASSERT_TRUE(file);
  ASSERT_TRUE(os::write_all(file->get(), "written by a program"));
  struct stat scratch{};
  ASSERT_EQ(::fstat(file->get(), &scratch), 0);
  EXPECT_EQ(scratch.st_mode & 0777U, 0666U);  // a program with another uid reopens /dev/stdout
  const auto opened = store.get(*store.keep("out", std::move(*file)));
  ASSERT_TRUE(opened);
  struct stat kept{};
  ASSERT_EQ(::fstat(opened->file.get(), &kept), 0);
  EXPECT_EQ(kept.st_ino, scratch.st_ino);
  EXPECT_EQ(kept.st_mode & 0777U, 0444U);
  EXPECT_EQ(read_back(*opened), "written by a program");
}

TEST_F(StoreTest, ForgetsScratchFilesThatNobodyKeeps) {
  Store store = *Store::open(options());
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(store.scratch());
  EXPECT_EQ(entries(only_entry(path() + "/tmp")), 0U);
  EXPECT_EQ(store.totals().files, 0U);
}

TEST_F(StoreTest, RefusesToKeepWhatIsNoScratchFile) {
  Store store = *Store::open(options());
  const auto refuses = [&](int raw) {
    const auto id = store.keep("x", os::OwnedFd(raw));
    return !id && id.error().fault == Fault::InvalidRequest;
  };
  EXPECT_TRUE(refuses(::memfd_create("m", MFD_CLOEXEC)));
  EXPECT_TRUE(refuses(::open("/dev/null", O_RDWR | O_CLOEXEC)));
  EXPECT_TRUE(refuses(::open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  const std::string named = path("named");
  EXPECT_TRUE(refuses(::open(named.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)));
  EXPECT_FALSE(store.keep("x", os::OwnedFd()));
  EXPECT_EQ(store.totals().files, 0U);
}

TEST_F(StoreTest, ListsSortedById) {
  Store store = *Store::open(options());
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(store.add("f" + std::to_string(i), std::string(7, 'x')));
  const auto files = store.list();
  ASSERT_EQ(files.size(), 50U);
  EXPECT_TRUE(std::ranges::is_sorted(files, {}, &Listed::id));
  EXPECT_EQ(files.front().size, 7_B);
}

TEST_F(StoreTest, RemovesAFileOnce) {
  Store store = *Store::open(options());
  const std::string id = *store.add("a", "x");
  ASSERT_TRUE(store.remove(id));
  EXPECT_EQ(store.remove(id).error().fault, Fault::NotFound);
  EXPECT_EQ(store.get(id).error().fault, Fault::NotFound);
}

TEST_F(StoreTest, KeepsAnOpenedFileReadableAfterItsRemoval) {
  Store store = *Store::open(options());
  const std::string id = *store.add("a", "still here");
  const auto opened = store.get(id);
  ASSERT_TRUE(store.remove(id));
  EXPECT_EQ(read_back(*opened), "still here");
}

TEST_F(StoreTest, TakesAHundredMebibytes) {
  Store store = *Store::open(options());
  const std::string block = noise(1U << 20U);
  auto file = store.scratch();
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(os::write_all(file->get(), block));
  const std::string id = *store.keep("huge", std::move(*file));
  const auto opened = store.get(id);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->size, 100_MiB);
  std::string last(block.size(), '\0');
  ASSERT_EQ(::pread(opened->file.get(), last.data(), last.size(), off_t{99} << 20), 1 << 20);
  EXPECT_EQ(last, block);
}

TEST_F(StoreTest, ServesManyThreadsAtOnce) {
  Store store = *Store::open(options());
  std::atomic<int> wrong = 0;
  const auto work = [&](unsigned seed) {
    for (unsigned i = 0; i < 300; ++i) {
      const std::string bytes = "content " + std::to_string(i % 7);  // the threads share contents
      const std::string id =
          i % 2 == 0 ? store.add("n", bytes).value_or("") : keep_bytes(store, "n", bytes);
      if (contents(store, id) != bytes) ++wrong;
      if ((i + seed) % 3 == 0 && store.list().empty()) ++wrong;
      if (!store.remove(id)) ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back(work, i);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(store.totals().files, 0U);
  EXPECT_EQ(entries(path() + "/blobs") + entries(path() + "/files"), 0U);
}

}  // namespace
}  // namespace assay::store
