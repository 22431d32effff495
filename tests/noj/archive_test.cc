// What a zip says of its entries, and what Normal-OJ's intake says about them.
#include <gtest/gtest.h>

#include "package/noj_archive.h"
#include "tests/judging/fixture_archives.h"

namespace assay::package {
namespace {

using test::EntryType;
using test::Packed;

std::string zip_of(const std::vector<Packed>& files) {
  return test::pack(files, {.format = "zip"});
}

std::vector<ZipEntry> entries_in(const std::vector<Packed>& files) {
  const auto found = entries_of_zip(zip_of(files));
  EXPECT_TRUE(found) << describe(found.error());
  return found.value_or(std::vector<ZipEntry>{});
}

std::string refusal(const std::vector<Packed>& files, NojLanguage language = NojLanguage::C,
                    bool zip = false) {
  const Status checked = check_noj_archive({.zip = zip}, language, entries_in(files));
  return checked ? "" : checked.error().context;
}

TEST(NojArchive, EntriesAreThoseOfItsDirectory) {
  EXPECT_EQ(entries_in({{.name = "a/b.c", .content = "xyz"}, {.name = "main.py"}}),
            (std::vector<ZipEntry>{{.name = "a/b.c", .size = 3_B}, {.name = "main.py"}}));
  EXPECT_TRUE(
      entries_in({{.name = "l", .content = "x", .type = EntryType::SymbolicLink}}).at(0).is_link);
}

TEST(NojArchive, WhatIsNoZipIsOneSentence) {
  const std::string good = zip_of({{.name = "main.c", .content = "x"}});
  EXPECT_FALSE(entries_of_zip(""));
  EXPECT_FALSE(entries_of_zip("PK\5\6"));
  EXPECT_FALSE(entries_of_zip(std::string(5000, 'x')));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(entries_of_zip(std::string_view(good).substr(0, size))) << size;
  // Every byte may be wrong: it is refused or read, and nothing else happens.
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char wrong : {'\0', '\1', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[at] = wrong;
      (void)entries_of_zip(bad);
    }
}

TEST(NojArchive, ThereAreLimits) {
  const auto sentence = [](const std::string& zip, const judge::ArchiveLimits& limits) {
    return entries_of_zip(zip, limits).error().context;
  };
  std::vector<Packed> many;
  for (int i = 0; i < 11; ++i)
    many.push_back({.name = std::to_string(i), .content = std::string(100, 'x')});
  EXPECT_EQ(sentence(zip_of(many), {.entries = 10}), "the archive has more than 10 files");
  EXPECT_EQ(sentence(zip_of(many), {.archive = 10_B}), "the archive has more than 10 bytes");
  EXPECT_EQ(sentence(zip_of(many), {.total = 1099_B}),
            "the archive has more than 1099 bytes in it");
  EXPECT_TRUE(entries_of_zip(zip_of(many), {.total = 1100_B, .entries = 11}));
}

TEST(NojArchive, AnEntryIsCalledTheSameAtBothPlaces) {
  std::string zip = zip_of({{.name = "main.c", .content = "x"}});
  const std::size_t first = zip.find("main.c");
  ASSERT_NE(first, zip.rfind("main.c"));
  zip.replace(first, 6, "../a.c");
  EXPECT_EQ(entries_of_zip(zip).error().context, "the archive is no zip that can be read");
}

TEST(NojArchive, CodeIsOneFileCalledMainInItsLanguage) {
  EXPECT_EQ(refusal({{.name = "main.c"}}), "");
  EXPECT_EQ(refusal({{.name = "main.py"}}, NojLanguage::Python), "");
  EXPECT_EQ(refusal({{.name = "ma1n.c"}}), "none main");
  EXPECT_EQ(refusal({{.name = "main.c"}, {.name = "other.c"}}), "none main");
  EXPECT_EQ(refusal({{.name = "main.py"}}), "data type is not match");
  EXPECT_EQ(refusal({{.name = "d/main.c"}}), "none main");
  EXPECT_EQ(refusal({{.name = "main"}}), "data type is not match");
  EXPECT_EQ(refusal({{.name = "d/", .type = EntryType::Directory}}), "no file in 'src' directory");
}

TEST(NojArchive, AProjectHasItsMainFileAtItsRoot) {
  EXPECT_EQ(refusal({{.name = "Makefile"}, {.name = "x.c"}}, NojLanguage::C, true), "");
  EXPECT_EQ(refusal({{.name = "d/Makefile"}}, NojLanguage::C, true), "Makefile not found in zip");
  EXPECT_EQ(refusal({{.name = "main.py"}, {.name = "m.py"}}, NojLanguage::Python, true), "");
  EXPECT_EQ(refusal({{.name = "Makefile"}}, NojLanguage::Python, true), "main.py not found in zip");
}

TEST(NojArchive, NothingLeavesAndNothingIsALink) {
  for (const char* name : {"../main.c", "a/../../main.c", "/main.c", "..", "a\\..\\main.c"})
    EXPECT_EQ(refusal({{.name = name}}, NojLanguage::C, true), "Invalid path in zip") << name;
  EXPECT_EQ(
      refusal({{.name = "main.c", .content = "/etc/passwd", .type = EntryType::SymbolicLink}}),
      "Symlinks are not allowed in submission archive");
}

}  // namespace
}  // namespace assay::package
