// Hostile archives meet the unpacker in its box.
#include "judge/unpacking.h"

#include <sys/syscall.h>

#include <cstdlib>

#include "tests/judging/fixture.h"
#include "tests/judging/fixture_archives.h"

namespace assay::test {
namespace {

using judge::ArchiveLimits;
using judge::Unpacked;

class UnpackingTest : public JudgingTest {
 protected:
  Unpacked unpack(const std::string& archive, const ArchiveLimits& limits = {}) {
    auto unpacked = unpacker().unpack(engine(), {.text = archive}, limits, cancellation());
    if (unpacked) return *std::move(unpacked);
    ADD_FAILURE() << describe(unpacked.error());
    return {};
  }
  std::string refusal(const std::string& archive, const ArchiveLimits& limits = {}) {
    const Unpacked unpacked = unpack(archive, limits);
    EXPECT_TRUE(unpacked.refusal.empty() || unpacked.files.empty());
    return unpacked.refusal.empty() ? "it was unpacked" : unpacked.refusal;
  }
};

TEST_F(UnpackingTest, EveryKindOfArchiveGivesTheSameFiles) {
  const std::vector<Packed> entries{{"./", "", EntryType::Directory, 0755},
                                    {"obj/", "", EntryType::Directory, 0755},
                                    {"./src/main.c", "int main;"},
                                    {"run.sh", "echo", EntryType::File, 0755},
                                    {"prüfung", std::string(200000, 'x')}};
  const Packing packings[] = {{"tar", ""},     {"tar", "gzip"}, {"tar", "bzip2"}, {"tar", "xz"},
                              {"tar", "zstd"}, {"zip", ""},     {"pax", ""}};
  for (const Packing& packing : packings) {
    const Unpacked unpacked = unpack(pack(entries, packing));
    const std::string story = packing.format + " " + packing.filter + ": " + unpacked.refusal;
    ASSERT_EQ(unpacked.files.size(), 3U) << story;
    EXPECT_EQ(unpacked.files[0].name, "src/main.c") << story;
    EXPECT_EQ(unpacked.files[0].content, "int main;") << story;
    EXPECT_FALSE(unpacked.files[0].executable) << story;
    EXPECT_TRUE(unpacked.files[1].executable) << story;
    EXPECT_EQ(unpacked.files[2].name, "prüfung") << story;
    EXPECT_EQ(unpacked.files[2].content, std::string(200000, 'x')) << story;
    EXPECT_EQ(unpacked.directories, std::vector<std::string>{"obj"}) << story;
  }
}

TEST_F(UnpackingTest, NamesThatLeaveTheDirectoryAreRefused) {
  for (const char* format : {"tar", "zip"})
    for (const char* name : {"../evil", "a/../../evil", "/etc/evil", "a/..", "..", "a//b"})
      EXPECT_EQ(refusal(pack({{name, "x"}}, {format})),
                "'" + std::string(name) + "' is not a plain relative path")
          << format;
}

TEST_F(UnpackingTest, NothingButFilesAndDirectoriesIsTaken) {
  for (const char* format : {"tar", "zip"}) {
    EXPECT_EQ(
        refusal(pack({{"link", "/etc", EntryType::SymbolicLink}, {"link/evil", "x"}}, {format})),
        "'link' is a symbolic link")
        << format;
  }
  EXPECT_EQ(refusal(pack({{"a", "x"}, {"b", "a", EntryType::HardLink}})), "'b' is a hard link");
  EXPECT_EQ(refusal(pack({{"b", "/etc/shadow", EntryType::HardLink}})), "'b' is a hard link");
  EXPECT_EQ(refusal(pack({{"pipe", "", EntryType::Fifo}})),
            "'pipe' is neither a file nor a directory");
  EXPECT_EQ(refusal(pack({{"zero", "", EntryType::Device}})),
            "'zero' is neither a file nor a directory");
}

TEST_F(UnpackingTest, OfSetuidNothingIsLeft) {
  const Unpacked unpacked = unpack(pack({{"a", "x", EntryType::File, 06755}}));
  ASSERT_EQ(unpacked.files.size(), 1U);
  EXPECT_TRUE(unpacked.files[0].executable);  // which is all that a file can be
}

TEST_F(UnpackingTest, NamesThatAreNoPlainTextAreRefused) {
  for (const char* format : {"tar", "zip"}) {
    EXPECT_EQ(refusal(pack({{"a\nb", "x"}}, {format})), "the name 'a\\nb' is not plain UTF-8 text")
        << format;
    EXPECT_EQ(refusal(pack({{"x\xff", "1"}}, {format})),
              "the name 'x\\xff' is not plain UTF-8 text")
        << format;
  }
  EXPECT_EQ(refusal(patched(pack({{"aXb", "1"}}, {"zip"}), "aXb", std::string("a\0b", 3))),
            "the archive has a name with a zero byte in it");
}

TEST_F(UnpackingTest, TwoEntriesOfOneNameAreRefused) {
  for (const char* format : {"tar", "zip"})
    EXPECT_EQ(refusal(pack({{"a", "1"}, {"a", "2"}}, {format})), "the archive has two entries 'a'")
        << format;
  EXPECT_EQ(refusal(pack({{"a", "1"}, {"./a", "2"}})), "the archive has two entries 'a'");
  EXPECT_EQ(refusal(pack({{"a", "1"}, {"a/b", "2"}})), "'a' is a file and a directory at once");
}

TEST_F(UnpackingTest, AnEncryptedArchiveIsRefused) {
  EXPECT_EQ(refusal(pack({{"a", "secret"}}, {.format = "zip", .password = "x"})),
            "'a' is encrypted");
}

TEST_F(UnpackingTest, WhatIsDamagedIsRefused) {
  std::string noise;
  for (unsigned i = 0; i < 100000; ++i)
    noise += static_cast<char>((i * 2654435761U) >> 13);
  for (const Packing& packing : {Packing{"tar"}, Packing{"tar", "gzip"}, Packing{"tar", "xz"},
                                 Packing{"tar", "zstd"}, Packing{"tar", "bzip2"}, Packing{"zip"}}) {
    const std::string archive = pack({{"a", noise}}, packing);
    const std::string why = refusal(archive.substr(0, archive.size() / 2));
    EXPECT_TRUE(why.starts_with("the archive is damaged: ") ||
                why.starts_with("this is no zip or tar archive: "))
        << packing.format << " " << packing.filter << ": " << why;
  }
  for (const std::string& text : {std::string(), std::string("hello"), std::string(3, '\0'), noise})
    EXPECT_TRUE(refusal(text).starts_with("this is no zip or tar archive: ")) << text.substr(0, 9);
  EXPECT_EQ(refusal(std::string(4096, '\0')), "the archive has no files");
}

// Between two files it was taken for a whole one, with fewer tests than were sent.
TEST_F(UnpackingTest, ATarThatIsCutAtABlockIsDamaged) {
  const std::string archive = pack({{"a", "1"}, {"b", std::string(600, '2')}, {"c", "3"}});
  constexpr std::size_t kBlock = 512;
  constexpr std::size_t kFiles = 3 * kBlock + 4 * kBlock;  // headers and what is in them
  EXPECT_EQ(refusal(archive.substr(0, kFiles + kBlock)), "it was unpacked");
  for (std::size_t size = 2 * kBlock; size <= kFiles; size += kBlock)
    EXPECT_TRUE(refusal(archive.substr(0, size)).starts_with("the archive is damaged: ")) << size;
}

TEST_F(UnpackingTest, ABombEndsAtTheLimits) {
  const std::string zeros(std::size_t{128} << 20, '\0');
  const std::string by_total = "the archive has more than 67108864 bytes in it";
  EXPECT_EQ(refusal(pack({{"a", zeros}}, {"tar", "gzip"})), by_total);
  EXPECT_EQ(refusal(pack({{"a", zeros}}, {"zip"})), by_total);
  const std::string some(std::size_t{32} << 20, '\0');
  for (const Packing& packing : {Packing{"tar", "gzip"}, Packing{"tar", "xz"},
                                 Packing{"tar", "zstd"}, Packing{"tar", "bzip2"}, Packing{"zip"}})
    EXPECT_TRUE(refusal(pack({{"a", some}}, packing))
                    .starts_with("the archive is packed suspiciously well: "))
        << packing.format << " " << packing.filter;
  EXPECT_EQ(refusal(pack({{"a", some}}, {"tar", "gzip"}), {.ratio = 10000}), "it was unpacked");
}

TEST_F(UnpackingTest, ManyFiltersAroundEachOtherEnd) {
  const std::string why = refusal(pack({{"a", "x"}}, {.filter = "gzip", .times = 40}));
  EXPECT_TRUE(why.starts_with("this is no zip or tar archive: ")) << why;
}

TEST_F(UnpackingTest, AnArchiveInAnArchiveStaysWhatItIs) {
  const std::string inner = pack({{"a", "x"}}, {"zip"});
  const Unpacked unpacked = unpack(pack({{"inner.zip", inner}}, {"zip"}));
  ASSERT_EQ(unpacked.files.size(), 1U);
  EXPECT_EQ(unpacked.files[0].content, inner);
}

TEST_F(UnpackingTest, TooManyEntriesEndEarly) {
  std::vector<Packed> entries;
  // Emulated, a directory of a hundred thousand takes longer to read than an archive may.
  for (int i = 0, all = std::getenv("ASSAY_VM") == nullptr ? 100000 : 20000; i < all; ++i)
    entries.push_back({"f" + std::to_string(i), ""});
  for (const Packing& packing : {Packing{"tar", "gzip"}, Packing{"zip"}})
    EXPECT_EQ(refusal(pack(entries, packing)), "the archive has more than 2000 entries")
        << packing.format;
  EXPECT_EQ(refusal(pack({{"a", ""}, {"b", ""}}), {.entries = 1}),
            "the archive has more than 1 entries");
}

// All that it may write goes into this file. (A zip of so many is far over 16 MiB: not even
// opened.)
TEST_F(UnpackingTest, AMillionEntriesEndAtOnceAndTakeNoRoom) {
  const judge::Content archive{.text = pack_empty(1'000'000, {"tar", "zstd"})};
  EXPECT_LT(archive.text.size(), ArchiveLimits{}.archive.count);
  const os::OwnedFd stream = file_of("");
  const auto begun = std::chrono::steady_clock::now();
  const judge::FileTaker taker{.begin = [](std::string_view) { return Status(); },
                               .add =
                                   [](std::string_view) {
                                     return Status();
                                   }};
  const auto unpacked = unpacker().unpack_large(
      engine(), archive, {}, {.stream = stream.get(), .taker = taker}, cancellation());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, scaled(3s));
  ASSERT_TRUE(unpacked) << describe(unpacked.error());
  EXPECT_EQ(unpacked->refusal, "the archive has more than 2000 entries");
  EXPECT_TRUE(unpacked->files.empty());
  EXPECT_LT(content_of(stream.get()).size(), 256U << 10);
}

TEST_F(UnpackingTest, DepthAndLengthOfNamesAreLimited) {
  std::string deep;
  for (int i = 0; i < 90; ++i)
    deep += "d/";
  for (const char* format : {"tar", "zip"}) {
    EXPECT_EQ(refusal(pack({{deep + "x", ""}}, {format})),
              "'" + deep + "x' is deeper than 16 directories")
        << format;
    const std::string name(5000, 'n');
    EXPECT_TRUE(refusal(pack({{name, ""}}, {format})).starts_with("the name 'nnnn")) << format;
  }
  EXPECT_EQ(refusal(pack({{"a/b/c", ""}}), {.depth = 2}), "it was unpacked");
  EXPECT_EQ(refusal(pack({{"a/b/c", ""}}), {.depth = 1}), "'a/b/c' is deeper than 1 directories");
}

TEST_F(UnpackingTest, HugeDeclaredSizesAreRefusedBeforeAnythingIsRead) {
  EXPECT_EQ(refusal(tar_header("a", "77777777777") + std::string(1024, 'x')),
            "the archive has more than 67108864 bytes in it");
  // In base 256: as large as a size can be, and a negative one.
  const std::string largest = "\x80" + std::string(3, '\0') + "\x7f" + std::string(7, '\xff');
  for (const std::string& size : {largest, std::string(12, '\xff')}) {
    const std::string why = refusal(tar_header("a", size) + std::string(1024, 'x'));
    EXPECT_TRUE(why.starts_with("the archive is damaged: ")) << why;
  }
}

TEST_F(UnpackingTest, AnArchiveThatIsTooLargeIsNotEvenOpened) {
  EXPECT_EQ(refusal(pack({{"a", "x"}}), {.archive = 100_B}), "the archive is larger than 100 B");
}

TEST_F(UnpackingTest, WhoeverTakesTheUnpackerOverCanDoNothingWithIt) {
  for (const int forbidden : {SYS_socket, SYS_fork, SYS_execve, SYS_unlink, SYS_ptrace, SYS_kill}) {
    const Outcome tried = run({.guest = "make_syscall",
                               .arguments = {std::to_string(forbidden)},
                               .profile = judge::kUnpackProfile});
    EXPECT_TRUE(ended_as(tried, sandbox::Forbidden{forbidden})) << tried;
  }
}

TEST_F(UnpackingTest, WhatIsCancelledIsRefused) {
  cancellation().cancel();
  EXPECT_EQ(refusal(pack({{"a", "x"}})), "cancelled");
}

}  // namespace
}  // namespace assay::test
