#include "store/packing.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/file.h"
#include "store/shelf.h"
#include "tests/store/fixture.h"

namespace assay::store {
namespace {

std::string text(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < size; ++i)
    bytes += std::to_string(i * i) + " ";
  bytes.resize(size);
  return bytes;
}

class Packed : public StoreTest, public ::testing::WithParamInterface<Compression> {};

TEST_P(Packed, LargeFilesTakeLessRoomAndComeBackWhole) {
  Store store = *Store::open({.directory = path(), .compression = GetParam()});
  const std::string bytes = text(3'000'001);
  const std::string added = *store.add("added", bytes);
  const std::string kept = keep_bytes(store, "kept", bytes);
  EXPECT_LT(store.totals().bytes, Bytes{bytes.size() * 9 / 10});
  EXPECT_EQ(entries(path() + "/blobs"), 1U);
  for (const std::string& id : {added, kept}) {
    const auto opened = store.get(id);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->size, Bytes{bytes.size()});
    EXPECT_EQ(::lseek(opened->file.get(), 0, SEEK_CUR), 0);
    EXPECT_EQ(::write(opened->file.get(), "x", 1), -1);
    EXPECT_EQ(read_back(*opened), bytes);
  }
  EXPECT_EQ(store.list().front().size, Bytes{bytes.size()});
  ASSERT_TRUE(store.remove(added));
  ASSERT_TRUE(store.remove(kept));
  EXPECT_EQ(entries(path() + "/blobs"), 0U);
}

TEST_P(Packed, AreReadByAStoreThatDoesNotPack) {
  const std::string bytes = text(500'000);
  Store packing = *Store::open({.directory = path(), .compression = GetParam()});
  Store plain = *Store::open(options());
  const std::string id = *packing.add("a", bytes);
  EXPECT_EQ(contents(plain, id), bytes);
  EXPECT_EQ(contents(plain, *plain.add("b", bytes)), bytes);
  EXPECT_EQ(entries(path() + "/blobs"), 1U);  // known in another form is known
}

TEST_P(Packed, WhatDoesNotShrinkStaysPlain) {
  Store store = *Store::open({.directory = path(), .compression = GetParam()});
  const std::string bytes = noise(200'000);
  const std::string id = *store.add("a", bytes);
  EXPECT_EQ(store.totals().bytes, Bytes{bytes.size()});
  EXPECT_EQ(contents(store, id), bytes);
}

TEST_P(Packed, SmallFilesStayPlain) {
  Store store = *Store::open({.directory = path(), .compression = GetParam()});
  ASSERT_TRUE(store.add("a", std::string(1000, 'a')));
  EXPECT_EQ(store.totals().bytes, 1000_B);
}

TEST_P(Packed, NeverUnpackToMoreThanTheRecordSays) {
  const auto from = os::sealed_memory("plain", std::string(10'000'000, 'z'));
  const os::OwnedFd packed(::memfd_create("packed", MFD_CLOEXEC));
  ASSERT_TRUE(pack(from->get(), packed.get(), GetParam()));
  std::size_t seen = 0;
  const Status result =
      unpack(packed.get(), GetParam(), 1_MiB, [&](std::string_view bytes) -> Status {
        seen += bytes.size();
        return {};
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, EBADMSG);
  EXPECT_LE(seen, 1U << 20U);
}

INSTANTIATE_TEST_SUITE_P(Each, Packed, ::testing::Values(Compression::Lz4, Compression::Zstd),
                         [](const auto& tested) { return std::string(word_of(tested.param)); });

// File systems without O_TMPFILE: drafts have names there, and lose them again.
TEST_F(StoreTest, WorksWithNamedDrafts) {
  const auto shelf =
      *Shelf::open({.directory = path(), .compression = Compression::Zstd}, Drafts::Named);
  const std::string large = text(300'000);
  const std::string added = *shelf->add("added", "bytes");
  const std::string packed = *shelf->add("packed", large);
  const std::string long_name = *shelf->add(std::string(3000, 'n'), "named");
  const os::OwnedFd file = *shelf->scratch();
  ASSERT_TRUE(os::write_all(file.get(), "from a program"));
  const std::string kept = *shelf->keep("kept", file.get());
  EXPECT_EQ(read_back(*shelf->get(added)), "bytes");
  EXPECT_EQ(read_back(*shelf->get(packed)), large);
  EXPECT_EQ(shelf->get(long_name)->name, std::string(3000, 'n'));
  EXPECT_EQ(read_back(*shelf->get(kept)), "from a program");
  EXPECT_EQ(entries(only_entry(path() + "/tmp")), 0U);
}

TEST_F(StoreTest, CopiesAScratchFileThatCanHaveNoNameAnyMore) {
  Store store = *Store::open(options());
  os::OwnedFd file = *store.scratch();
  ASSERT_TRUE(os::write_all(file.get(), "had a name once"));
  const std::string name = path("name");
  ASSERT_EQ(::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(file.get())).c_str(), AT_FDCWD,
                     name.c_str(), AT_SYMLINK_FOLLOW),
            0);
  ASSERT_EQ(::unlink(name.c_str()), 0);
  const auto id = store.keep("a", std::move(file));
  ASSERT_TRUE(id) << describe(id.error());
  EXPECT_EQ(contents(store, *id), "had a name once");
}

TEST_F(StoreTest, IsOneResourceThatMoves) {
  const Options temporary{.directory = path("one"), .temporary = true};
  const Options another{.directory = path("two"), .temporary = true};
  Store first = *Store::open(temporary);
  const std::string id = *first.add("a", "x");
  Store moved(std::move(first));
  EXPECT_EQ(contents(moved, id), "x");
  Store target = *Store::open(another);
  target = std::move(moved);
  EXPECT_FALSE(exists(path("two")));
  EXPECT_EQ(contents(target, id), "x");
  EXPECT_EQ(target.directory(), path("one"));
}

}  // namespace
}  // namespace assay::store
