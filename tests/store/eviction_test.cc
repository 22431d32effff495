#include "store/eviction.h"

#include <atomic>
#include <thread>

#include "tests/store/fixture.h"

namespace assay::store {
namespace {

std::string kib(char letter, std::size_t count = 1) {
  return std::string(count << 10U, letter);
}

TEST_F(StoreTest, EvictsWhatWasNotUsedForLongest) {
  Store store = *Store::open({.directory = path(), .quota = 3_KiB});
  const std::string a = *store.add("a", kib('a'));
  const std::string b = *store.add("b", kib('b'));
  const std::string c = *store.add("c", kib('c'));
  EXPECT_EQ(store.totals().files, 3U);
  EXPECT_EQ(contents(store, a), kib('a'));  // used: b is the oldest now
  const std::string d = *store.add("d", kib('d'));
  EXPECT_EQ(contents(store, b), "<not found>");
  const std::string e = keep_bytes(store, "e", kib('e'));
  EXPECT_EQ(contents(store, c), "<not found>");
  EXPECT_EQ(contents(store, a), kib('a'));
  EXPECT_EQ(contents(store, d), kib('d'));
  EXPECT_EQ(contents(store, e), kib('e'));
  EXPECT_EQ(store.totals().bytes, 3_KiB);
}

TEST_F(StoreTest, EvictsAsManyAsALargeFileNeeds) {
  Store store = *Store::open({.directory = path(), .quota = 10_KiB});
  for (char letter = 'a'; letter <= 'j'; ++letter)
    ASSERT_TRUE(store.add("", kib(letter)));
  const std::string large = *store.add("large", kib('L', 8));
  EXPECT_EQ(contents(store, large), kib('L', 8));
  EXPECT_EQ(store.totals().files, 3U);
  EXPECT_EQ(store.totals().bytes, 10_KiB);
}

TEST_F(StoreTest, CountsEqualContentsOnceAgainstTheQuota) {
  Store store = *Store::open({.directory = path(), .quota = 2_KiB});
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(store.add("", kib('a')));
  ASSERT_TRUE(store.add("", kib('b')));
  EXPECT_EQ(store.totals().files, 101U);
  const std::string c = *store.add("", kib('c'));  // frees nothing before the last of the hundred
  EXPECT_EQ(store.totals().files, 2U);
  EXPECT_EQ(contents(store, c), kib('c'));
}

TEST_F(StoreTest, RefusesWhatIsLargerThanTheQuota) {
  Store store = *Store::open({.directory = path(), .quota = 2_KiB});
  const std::string a = *store.add("", kib('a'));
  const auto id = store.add("", kib('b', 3));
  ASSERT_FALSE(id);
  EXPECT_EQ(id.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(id.error().context, "a file of 3.0 KiB does not fit into the store's quota of 2.0 KiB");
  EXPECT_EQ(contents(store, a), kib('a'));
  EXPECT_EQ(entries(path() + "/files"), 1U);
}

TEST_F(StoreTest, GivesRoomBackWhenFilesAreRemoved) {
  Store store = *Store::open({.directory = path(), .quota = 2_KiB});
  const std::string a = *store.add("", kib('a'));
  for (int i = 0; i < 100; ++i) {
    const auto id = store.add("", kib('b'));
    ASSERT_TRUE(store.remove(*id));
  }
  EXPECT_EQ(contents(store, a), kib('a'));
}

TEST_F(StoreTest, HoldsTheQuotaOverWhatItFindsAndWhatOthersAdd) {
  {
    Store unlimited = *Store::open(options());
    for (char letter = 'a'; letter <= 'j'; ++letter)
      ASSERT_TRUE(unlimited.add("", kib(letter)));
  }
  Store store = *Store::open({.directory = path(), .quota = 4_KiB});
  ASSERT_TRUE(store.add("", kib('k')));
  EXPECT_EQ(store.totals().bytes, 4_KiB);
  Store other = *Store::open(options());
  for (char letter = 'l'; letter <= 'p'; ++letter)
    ASSERT_TRUE(other.add("", kib(letter)));
  store.expire();
  EXPECT_EQ(store.totals().bytes, 4_KiB);
}

TEST_F(StoreTest, KeepsAnOpenedFileReadableThroughItsEviction) {
  Store store = *Store::open({.directory = path(), .quota = 1_KiB});
  const std::string a = *store.add("", kib('a'));
  const auto opened = store.get(a);
  ASSERT_TRUE(store.add("", kib('b')));
  EXPECT_EQ(contents(store, a), "<not found>");
  EXPECT_EQ(read_back(*opened), kib('a'));
}

TEST_F(StoreTest, NeverHandsOutHalfAFileWhileEvicting) {
  Store store = *Store::open({.directory = path(), .quota = 8_KiB});
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  {
    std::jthread adder([&] {
      for (int i = 0; i < 2000; ++i)
        if (!store.add(std::string(1, static_cast<char>('a' + i % 26)),
                       kib(static_cast<char>('a' + i % 26))))
          ++wrong;
      done = true;
    });
    while (!done)
      for (const Listed& file : store.list()) {
        const std::string bytes = contents(store, file.id);
        if (bytes != "<not found>" && bytes != kib(file.name[0])) ++wrong;
      }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(store.totals().bytes, 8_KiB);
}

TEST_F(StoreTest, RemovesWhatNobodyUsedForTheTimeout) {
  Store store = *Store::open({.directory = path(), .timeout = std::chrono::minutes(10)});
  const std::string old = *store.add("old", "x");
  const std::string used = *store.add("used", "y");
  const std::string fresh = *store.add("fresh", "z");
  set_last_use(path(), old, 601);
  set_last_use(path(), used, 601);
  set_last_use(path(), fresh, 500);
  EXPECT_EQ(contents(store, used), "y");  // refreshes it
  store.expire();
  EXPECT_EQ(contents(store, old), "<not found>");
  EXPECT_EQ(contents(store, used), "y");
  EXPECT_EQ(contents(store, fresh), "z");
  EXPECT_EQ(entries(path() + "/blobs"), 2U);
}

TEST_F(StoreTest, KeepsFilesForEverWithoutATimeout) {
  Store store = *Store::open(options());
  const std::string id = *store.add("old", "x");
  set_last_use(path(), id, 10L * 365 * 86400);
  store.expire();
  EXPECT_EQ(contents(store, id), "x");
}

}  // namespace
}  // namespace assay::store
