// What requests name is opened once, and no more of it than we have descriptors for.
#include "service/stored_contents.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "os/file.h"

namespace assay::service {
namespace {

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

class OpenContents : public testing::Test {
 protected:
  OpenContents() {
    char name[] = "/tmp/assay-contents-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    for (std::string& id : ids_)
      id = store_->add("test", std::string("bytes of ") + static_cast<char>('a' + (&id - ids_)))
               .value();
  }
  ~OpenContents() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }
  StoredContents contents(std::size_t most) {
    const auto open = [](const std::string& path) {
      return os::open(path, O_RDONLY);
    };
    return {*store_, open, most};
  }
  static std::string text_of(const judge::Content& content) {
    return judge::whole(content, 1_GiB).value();
  }

  std::string directory_;
  std::optional<store::Store> store_;
  std::string ids_[4];
};

// 842 KB of JSON once took twenty thousand descriptors, and with them everybody else's.
TEST_F(OpenContents, AFileThatARequestNamesAThousandTimesIsOpenedOnce) {
  StoredContents all = contents(4);
  const std::ptrdiff_t before = descriptors();
  std::vector<judge::Content> kept;
  {
    Supply supply(all);
    for (int i = 0; i < 1000; ++i) {
      kept.push_back(supply.contents().stored(ids_[i % 2]).value());
      kept.push_back(supply.contents().host_file("/etc/passwd").value());
    }
  }
  EXPECT_EQ(descriptors() - before, 3);
  EXPECT_EQ(all.open_files(), 3U);
  EXPECT_EQ(text_of(kept[0]), "bytes of a");
  EXPECT_EQ(text_of(kept[2]), "bytes of b");
  EXPECT_EQ(kept.back().path, "/etc/passwd");
  kept.clear();
  EXPECT_EQ(descriptors(), before);
  EXPECT_EQ(all.open_files(), 0U);
}

TEST_F(OpenContents, LargeTextsOfARequestShareAFile) {
  StoredContents all = contents(1);
  const std::ptrdiff_t before = descriptors();
  const std::string large(StoredContents::kInMemory.count + 1, 'x');
  std::vector<judge::Content> kept;
  {
    Supply supply(all);
    for (int i = 0; i < 50; ++i)
      kept.push_back(supply.contents().text(large + std::to_string(i)).value());
    kept.push_back(supply.contents().text("small").value());
  }
  EXPECT_EQ(descriptors() - before, 1);
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(text_of(kept.at(static_cast<std::size_t>(i))), large + std::to_string(i));
  EXPECT_EQ(text_of(kept.back()), "small");
}

TEST_F(OpenContents, FilesOfAllRequestsTogetherAreCountedUntilNobodyHasThem) {
  StoredContents all = contents(3);
  const std::ptrdiff_t before = descriptors();
  Supply first(all);
  Supply second(all);
  auto one = first.contents().stored(ids_[0]);
  auto two = second.contents().stored(ids_[1]);
  auto three = all.text(std::string(StoredContents::kInMemory.count + 1, 'x'));
  ASSERT_TRUE(one && two && three);
  for (const auto& refused :
       {first.contents().stored(ids_[2]), first.contents().host_file("/etc/passwd"),
        second.contents().text(std::string(StoredContents::kInMemory.count + 1, 'x'))}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::Busy);
    EXPECT_EQ(refused.error().context, kTooManyFiles);
  }
  EXPECT_EQ(descriptors() - before, 3);
  EXPECT_TRUE(first.contents().stored(ids_[0])) << "it is open already";
  three = judge::Content{};
  EXPECT_TRUE(first.contents().stored(ids_[2]));
}

TEST_F(OpenContents, WhatCannotBeOpenedKeepsNoPlace) {
  StoredContents all = contents(1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(all.stored("NOSUCHFILE").error().fault, Fault::InvalidRequest);
    EXPECT_FALSE(all.host_file("/no/such/file"));
  }
  EXPECT_EQ(all.open_files(), 0U);
}

// The journal's: they were accepted, and are counted all the same.
TEST_F(OpenContents, AFileOfAnEarlierLifeIsCountedAndNeverRefused) {
  StoredContents all = contents(1);
  auto first = all.adopt(store_->scratch().value());
  auto second = all.adopt(store_->scratch().value());
  EXPECT_EQ(all.open_files(), 2U);
  EXPECT_EQ(all.stored(ids_[0]).error().fault, Fault::Busy);
  first.reset();
  second.reset();
  EXPECT_TRUE(all.stored(ids_[0]));
}

TEST_F(OpenContents, FilesMayOutliveTheContents) {
  std::optional<StoredContents> all(std::in_place, *store_, StoredContents::OpenHostFile(), 8);
  judge::Content kept = all->stored(ids_[0]).value();
  all.reset();
  EXPECT_EQ(text_of(kept), "bytes of a");
}

}  // namespace
}  // namespace assay::service
