#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "store/digest.h"
#include "store/id.h"
#include "store/record.h"
#include "tests/store/fixture.h"

namespace assay::store {
namespace {

TEST_F(StoreTest, FindsNothingWrongInAHealthyStore) {
  for (const Compression form : {Compression::None, Compression::Lz4, Compression::Zstd}) {
    Store store = *Store::open({.directory = path(), .compression = form});
    ASSERT_TRUE(
        store.add("a", std::string(200'000, static_cast<char>('a' + static_cast<int>(form)))));
    ASSERT_TRUE(store.add("b", "small"));
  }
  Store store = *Store::open(options());
  const auto check = store.check();
  ASSERT_TRUE(check);
  EXPECT_EQ(check->good, 4U);
  EXPECT_TRUE(check->bad.empty());
}

TEST_F(StoreTest, MovesATamperedBlobAsideAndServesItNoMore) {
  Store store = *Store::open(options());
  const std::string first = *store.add("a", "honest bytes");
  const std::string second = *store.add("b", "honest bytes");
  const std::string other = *store.add("c", "others");
  const std::string digest = digest_of("honest bytes");
  overwrite(path() + "/blobs/" + digest, 0, "forged");
  const auto check = store.check();
  ASSERT_TRUE(check);
  EXPECT_EQ(check->good, 1U);
  EXPECT_EQ(check->bad, std::vector{digest});
  for (const std::string& id : {first, second}) {
    const auto opened = store.get(id);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().fault, Fault::NotFound);
    EXPECT_EQ(opened.error().context, "file '" + id + "' was damaged and has been moved aside");
  }
  EXPECT_EQ(contents(store, other), "others");
  EXPECT_EQ(store.list().size(), 1U);
  EXPECT_TRUE(exists(path() + "/bad/" + digest));
  EXPECT_EQ(contents(store, *store.add("again", "honest bytes")), "honest bytes");
  EXPECT_TRUE(store.check()->bad.empty());
}

TEST_F(StoreTest, FindsDamageInABlobThatLostItsName) {
  Store store = *Store::open(options());
  const std::string id = *store.add("a", "honest bytes");
  const std::string blob = only_entry(path() + "/blobs");
  overwrite(blob, 0, "forged");
  ASSERT_EQ(::unlink(blob.c_str()), 0);
  EXPECT_EQ(store.check()->bad, std::vector{digest_of("honest bytes")});
  EXPECT_EQ(contents(store, id), "<not found>");
  EXPECT_EQ(entries(path() + "/files"), 0U);
}

// Blobs are read-only; only root does not mind.
void cut(const std::string& blob, off_t size) {
  ASSERT_EQ(::chmod(blob.c_str(), 0600), 0);
  ASSERT_EQ(::truncate(blob.c_str(), size), 0);
}

TEST_F(StoreTest, NoticesATruncatedBlobWithoutACheck) {
  Store store = *Store::open(options());
  const std::string id = *store.add("a", "honest bytes");
  cut(only_entry(path() + "/blobs"), 3);
  const std::string again = *store.add("b", "honest bytes");  // must not build on the stump
  EXPECT_EQ(contents(store, again), "honest bytes");
  EXPECT_EQ(contents(store, id), "<not found>");
  cut(only_entry(path() + "/blobs"), 3);
  EXPECT_EQ(store.get(again).error().fault, Fault::NotFound);
}

TEST_F(StoreTest, NoticesADamagedPackedBlobWithoutACheck) {
  for (const Compression form : {Compression::Lz4, Compression::Zstd}) {
    Store store = *Store::open({.directory = path(), .compression = form});
    const std::string id = *store.add("a", std::string(300'000, 'a'));
    cut(only_entry(path() + "/blobs"), 20);
    EXPECT_EQ(contents(store, id), "<not found>");
    EXPECT_EQ(entries(path() + "/blobs"), 0U);
  }
}

TEST_F(StoreTest, SurvivesRubbishInItsDirectories) {
  Store store = *Store::open(options());
  const std::string id = *store.add("a", "x");
  for (const char* room : {"/ids/", "/files/", "/blobs/"}) {
    ASSERT_EQ(::symlink("rubbish", (path() + room + "AAAAAAAA").c_str()), 0);
    ASSERT_EQ(::mkfifo((path() + room + "BBBBBBBB").c_str(), 0600), 0);
    ASSERT_EQ(::mkdir((path() + room + "CCCCCCCC").c_str(), 0700), 0);
    ASSERT_EQ(::mkdir((path() + room + "not an id").c_str(), 0700), 0);
  }
  for (const char* rubbish : {"AAAAAAAA", "BBBBBBBB", "CCCCCCCC"})
    EXPECT_EQ(contents(store, rubbish), "<not found>");
  EXPECT_EQ(store.list().size(), 1U);
  ASSERT_TRUE(store.check());
  store.expire();
  EXPECT_EQ(contents(store, id), "x");
  Store again = *Store::open(options());
  EXPECT_EQ(contents(again, id), "x");
}

TEST(Record, ComesBackAsItWas) {
  const Record record{.digest = std::string(64, 'a'),
                      .size = 12_B,
                      .form = Compression::Zstd,
                      .added = std::chrono::system_clock::time_point(std::chrono::nanoseconds(7)),
                      .name = " a b "};
  const auto back = decode_record(encode(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->digest, record.digest);
  EXPECT_EQ(back->size, record.size);
  EXPECT_EQ(back->form, record.form);
  EXPECT_EQ(back->added, record.added);
  EXPECT_EQ(back->name, record.name);
}

TEST(Record, IsNotReadFromAnythingElse) {
  const std::string digest(64, 'a');
  for (const std::string& text :
       {std::string(), std::string("assay1"), "assay2 " + digest + " 1 plain 1 n",
        "assay1 " + digest.substr(1) + " 1 plain 1 n", "assay1 " + digest + " -1 plain 1 n",
        "assay1 " + digest + " 1 rar 1 n", "assay1 " + digest + " 1 plain x n"})
    EXPECT_FALSE(decode_record(text)) << text;
}

TEST(Digest, IsSha256) {
  EXPECT_EQ(digest_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Id, UsesEveryLetterOfTheAlphabet) {
  std::string seen;
  for (int i = 0; i < 200; ++i)
    seen += *make_id();
  for (const char letter : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
    EXPECT_TRUE(seen.contains(letter)) << letter;
}

}  // namespace
}  // namespace assay::store
