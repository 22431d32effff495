// The words of a program that has met a hostile archive.
#include "judge/unpack_stream.h"

#include <gtest/gtest.h>

#include <random>

#include "judge/unpacker/stream.h"

namespace assay::judge {
namespace {

using unpacker::Kind;

std::string record(Kind kind, std::string_view bytes) {
  std::string text(1, static_cast<char>(kind));
  for (unsigned i = 0; i < 4; ++i)
    text += static_cast<char>(bytes.size() >> (8 * i));
  return text + std::string(bytes);
}

std::string stream(const std::vector<std::string>& records) {
  std::string text(unpacker::kMagic);
  for (const std::string& one : records)
    text += one;
  return text;
}

std::string file(std::string_view name, std::string_view content = "") {
  return record(Kind::File, name) + (content.empty() ? "" : record(Kind::Data, content));
}

const std::string kDone = record(Kind::Done, "");
constexpr const char* kNonsense = "the archive made the unpacker say nonsense";

std::string refusal(const std::vector<std::string>& records, const ArchiveLimits& limits = {}) {
  const Unpacked unpacked = read_unpacked(stream(records), limits);
  EXPECT_TRUE(unpacked.refusal.empty() || unpacked.files.empty());
  return unpacked.refusal;
}

TEST(UnpackStream, GivesFilesWithTheirContentsAndDirectories) {
  const Unpacked unpacked =
      read_unpacked(stream({record(Kind::Directory, "src"), record(Kind::Directory, "src"),
                            record(Kind::Executable, "src/run.sh"), record(Kind::Data, "ec"),
                            record(Kind::Data, "ho"), file("empty"), kDone}),
                    {});
  ASSERT_EQ(unpacked.refusal, "");
  ASSERT_EQ(unpacked.files.size(), 2U);
  EXPECT_EQ(unpacked.files[0].name, "src/run.sh");
  EXPECT_EQ(unpacked.files[0].content, "echo");
  EXPECT_TRUE(unpacked.files[0].executable);
  EXPECT_FALSE(unpacked.files[1].executable);
  EXPECT_EQ(unpacked.directories, std::vector<std::string>{"src"});
}

TEST(UnpackStream, HandsFilesOverOneByOne) {
  std::vector<std::string> taken;
  const FileTaker taker{.begin = [&](std::string_view name) -> Status {
                          taken.push_back(std::string(name) + "=");
                          return name == "none" ? Status(system_error(EMFILE, "")) : Status();
                        },
                        .add = [&](std::string_view bytes) -> Status {
                          taken.back() += bytes;
                          return bytes == "full" ? Status(system_error(ENOSPC, "")) : Status();
                        }};
  const auto all = read_unpacked(
      stream({file("a", "1"), record(Kind::Directory, "d"), file("d/b", "2"), file("c"), kDone}),
      {}, &taker);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->refusal, "");
  EXPECT_TRUE(all->files.empty());
  EXPECT_EQ(taken, (std::vector<std::string>{"a=1", "d/b=2", "c="}));
  const auto full = read_unpacked(stream({file("a", "full"), file("b"), kDone}), {}, &taker);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ENOSPC);
  EXPECT_EQ(read_unpacked(stream({file("none"), kDone}), {}, &taker).error().code, EMFILE);
  const auto bad = read_unpacked(stream({file("a", "1"), file("a", "2"), kDone}), {}, &taker);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->refusal, "the archive has two entries 'a'");
}

TEST(UnpackStream, ARefusalIsToldWithoutWhatATerminalWouldObey) {
  EXPECT_EQ(refusal({record(Kind::Refused, "no\n\x1b[31m")}), "no\\n\\x1b[31m");
  EXPECT_EQ(refusal({file("a", "x"), record(Kind::Refused, "'b' is a symbolic link")}),
            "'b' is a symbolic link");
  EXPECT_EQ(refusal({record(Kind::Refused, "")}), kNonsense);
}

TEST(UnpackStream, WhatBreaksTheProtocolIsRefused) {
  EXPECT_EQ(read_unpacked("", {}).refusal, kNonsense);
  EXPECT_EQ(read_unpacked("ASSAYUN2" + kDone, {}).refusal, kNonsense);
  EXPECT_EQ(refusal({}), kNonsense);                                // no end
  EXPECT_EQ(refusal({file("a", "x")}), kNonsense);                  // no end
  EXPECT_EQ(refusal({file("a"), kDone.substr(0, 3)}), kNonsense);   // half a record
  EXPECT_EQ(refusal({file("a"), kDone, "x"}), kNonsense);           // more after the end
  EXPECT_EQ(refusal({record(Kind::Data, "x"), kDone}), kNonsense);  // of no file
  EXPECT_EQ(refusal({file("a"), record(Kind::Directory, "d"), record(Kind::Data, "x"), kDone}),
            kNonsense);
  EXPECT_EQ(refusal({file("a"), record(static_cast<Kind>('?'), ""), kDone}), kNonsense);
  EXPECT_EQ(refusal({file("a"),
                     "F\xff\xff\xff\xff"
                     "a"}),
            kNonsense);  // longer than there is
  EXPECT_EQ(refusal({file("a"), record(Kind::Data, std::string(70000, 'x')), kDone}), kNonsense);
  EXPECT_EQ(refusal({kDone}), "the archive has no files");
}

TEST(UnpackStream, LimitsAreCountedAgain) {
  EXPECT_EQ(refusal({file("a", "12345"), file("b", "67890"), kDone}, {.total = 9_B}),
            "the archive has more than 9 B in it");
  EXPECT_EQ(refusal({file("a", "12345"), file("b", "67890"), kDone}, {.total = 10_B}), "");
  EXPECT_EQ(refusal({file("a"), file("b"), file("c"), kDone}, {.entries = 2}),
            "the archive has more than 2 entries");
  EXPECT_EQ(refusal({file("a/b/c"), kDone}, {.depth = 1}), "'a/b/c' is deeper than 1 directories");
  EXPECT_EQ(refusal({file("abcd"), kDone}, {.name = 3}), "the name 'abcd' is longer than 3 bytes");
}

TEST(UnpackStream, NamesThatLeaveTheDirectoryOrHideAreRefused) {
  for (const char* name : {"/etc/passwd", "../x", "a/../x", "a/..", "..", ".", "./a", "a//b", "a/",
                           "-o", "a/-o", "@file", "a\\b", ""})
    EXPECT_EQ(refusal({file(name), kDone}),
              "'" + std::string(name == std::string("a\\b") ? "a\\b" : name) +
                  "' is not a plain relative path")
        << name;
}

TEST(UnpackStream, NamesThatAreNoPlainTextAreRefused) {
  EXPECT_EQ(refusal({file("a\nb"), kDone}), "the name 'a\\nb' is not plain UTF-8 text");
  EXPECT_EQ(refusal({file(std::string_view("a\0b", 3)), kDone}),
            "the name 'a\\x00b' is not plain UTF-8 text");
  EXPECT_EQ(refusal({file("a\xff"), kDone}), "the name 'a\\xff' is not plain UTF-8 text");
  EXPECT_EQ(refusal({file("a\xc0\xaf"), kDone}),  // an overlong slash
            "the name 'a\\xc0\\xaf' is not plain UTF-8 text");
  EXPECT_EQ(refusal({file("\xe2\x80\xae"
                          "c.txt"),
                     kDone}),  // right to left
            "the name '\\u202ec.txt' is not plain UTF-8 text");
  EXPECT_EQ(refusal({file("prüfung.c"), kDone}), "");
}

TEST(UnpackStream, TwoEntriesOfOneNameAreRefused) {
  EXPECT_EQ(refusal({file("a", "1"), file("a", "2"), kDone}), "the archive has two entries 'a'");
  EXPECT_EQ(refusal({record(Kind::Directory, "a"), file("a"), kDone}),
            "the archive has two entries 'a'");
  EXPECT_EQ(refusal({file("a"), record(Kind::Directory, "a"), kDone}),
            "the archive has two entries 'a'");
  EXPECT_EQ(refusal({file("a/b/c"), file("a"), kDone}), "'a' is a file and a directory at once");
  EXPECT_EQ(refusal({file("a/b/c"), file("a-b"), file("a/b-c"), kDone}), "");
}

TEST(UnpackStream, NoNoiseMakesItMisbehave) {
  std::mt19937 random(7);  // the same noise every time
  const std::string good = stream({record(Kind::Directory, "d"), file("d/a", "content"), kDone});
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (unsigned i = 0; i < 1 + random() % 3; ++i)
      bad[random() % bad.size()] = static_cast<char>(random());
    const Unpacked unpacked = read_unpacked(bad, {});
    for (const SourceFile& one : unpacked.files)
      ASSERT_EQ(complaint_about_name(one.name, {}), "");
  }
}

}  // namespace
}  // namespace assay::judge
