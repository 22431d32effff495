#include "judge/unpacker/zip_names.h"

#include <gtest/gtest.h>

#include "tests/judge/compare_files.h"

namespace assay::judge::unpacker {
namespace {

// One empty file: its own header, the directory, and the end record.
std::string zip_with(const std::string& name) {
  const std::string length{static_cast<char>(name.size()), '\0'};
  const std::string entry = "PK\3\4" + std::string(22, '\0') + length + std::string(2, '\0') + name;
  const std::string directory =
      "PK\1\2" + std::string(24, '\0') + length + std::string(16, '\0') + name;
  const std::string place{static_cast<char>(entry.size()), '\0', '\0', '\0'};
  return entry + directory + "PK\5\6" + std::string(12, '\0') + place + std::string(2, '\0');
}

bool has_zero(const std::string& zip) {
  return zip_has_zero_in_a_name(file_with(zip).get());
}

TEST(ZipNames, AZeroInANameIsSeen) {
  EXPECT_TRUE(has_zero(zip_with(std::string("mai\0.c", 6))));
  EXPECT_FALSE(has_zero(zip_with("main.c")));
}

TEST(ZipNames, WhatIsNoZipHasNone) {
  EXPECT_FALSE(has_zero(""));
  EXPECT_FALSE(has_zero(std::string(100, '\0')));
  EXPECT_FALSE(has_zero("PK\5\6"));
  EXPECT_FALSE(has_zero(std::string(18, 'x') + "PK\5\6"));
}

// Found by fuzzing: the beginning of another end record, in a comment that is too short for one,
// hid the directory from us and not from libarchive.
TEST(ZipNames, TheBeginningOfAnotherEndRecordHidesNothing) {
  EXPECT_TRUE(has_zero(zip_with(std::string("mai\0.c", 6)) + "PK\5\6"));
  EXPECT_TRUE(has_zero(zip_with(std::string("mai\0.c", 6)) + "PK\5\6" + std::string(17, '\0')));
}

}  // namespace
}  // namespace assay::judge::unpacker
