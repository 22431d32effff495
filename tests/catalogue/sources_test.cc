// What the sources refuse.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/catalogue.h"
#include "config/database.h"
#include "config/files.h"

namespace assay::config {
namespace {

namespace fs = std::filesystem;

struct Place {
  Place() {
    std::string pattern = fs::temp_directory_path() / "assay-catalogue-XXXXXX";
    root = ::mkdtemp(pattern.data());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { fs::remove_all(root); }
  fs::path root{};
};

TEST(CatalogueOpen, NothingToBeginWithIsAnError) {
  const Place place;
  const std::string none = place.root / "none";
  EXPECT_FALSE(Catalogue::open(std::make_unique<Files>(Directories{none, none, none}), {}));
  const std::string empty = place.root;
  const auto nothing =
      Catalogue::open(std::make_unique<Files>(Directories{empty, empty, empty}), {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().context, "there are no languages");
}

TEST(Files, WhatIsNoPlainFileOrHasNoPlainNameIsNotRead) {
  const Place place;
  fs::create_directory(place.root / "folder.toml");
  fs::create_symlink("/dev/zero", place.root / "zero.toml");
  std::ofstream(place.root / "Bad Name.toml") << "x";
  std::ofstream(place.root / "notes.txt") << "x";
  std::ofstream(place.root / "good.toml") << "x";
  Files files({place.root, place.root, place.root});
  const auto list = files.list();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 3U);  // one of each kind
  EXPECT_EQ(list->front().name, "good");
}

TEST(Files, ATextThatIsTooLargeIsRefused) {
  const Place place;
  std::ofstream(place.root / "large.toml") << std::string(kLargestText + 1, '#');
  Files files({place.root, place.root, place.root});
  const auto text = files.text({Kind::Language, "large", ""});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().context.find("too large"), std::string::npos);
}

TEST(Database, AnythingElseIsRefused) {
  const Place place;
  std::ofstream(place.root / "text.db") << std::string(4096, 'x');
  for (const char* name : {"missing.db", "text.db"}) {
    const auto database = Database::open(place.root / name, Database::Access::Read);
    EXPECT_FALSE(database) << name;
  }
}

TEST(Database, NamesAndTextsAreBounded) {
  const Place place;
  const auto database = Database::open(place.root / "a.db", Database::Access::Write).value();
  EXPECT_FALSE(database->put(Kind::Policy, "../../etc/passwd", "x"));
  EXPECT_FALSE(database->put(Kind::Policy, "'; DROP TABLE entries; --", "x"));
  EXPECT_FALSE(database->put(Kind::Policy, "large", std::string(kLargestText + 1, 'x')));
  EXPECT_TRUE(database->list()->empty());
}

TEST(Database, AnEntryThatComesBackHasAnotherVersion) {
  const Place place;
  const auto database = Database::open(place.root / "a.db", Database::Access::Write).value();
  ASSERT_TRUE(database->put(Kind::Policy, "p", "one"));
  const EntryId first = database->list()->front();
  ASSERT_TRUE(database->remove(Kind::Policy, "p"));
  ASSERT_TRUE(database->put(Kind::Policy, "p", "two"));
  EXPECT_NE(database->list()->front().version, first.version);
  EXPECT_EQ(database->text(first), "two");
}

TEST(Database, ATakeOverThatFailsChangesNothing) {
  const Place place;
  std::ofstream(place.root / "a.toml") << "x";
  std::ofstream(place.root / "b.toml") << std::string(kLargestText + 1, '#');
  Files files({place.root, place.root, place.root});
  const auto database = Database::open(place.root / "a.db", Database::Access::Write).value();
  EXPECT_FALSE(database->take_over(files));
  EXPECT_TRUE(database->list()->empty());
}

}  // namespace
}  // namespace assay::config
