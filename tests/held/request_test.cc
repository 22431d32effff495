#include "held/request.h"

#include <gtest/gtest.h>

namespace assay::held {
namespace {

constexpr auto kSeed = verdict::WaitPolarity::ZeroTerminates;
constexpr auto kLegacy = verdict::WaitPolarity::OneTerminates;

TEST(HeldRequest, OfTheSeedTerminatesWithZeroAndContinuesWithOne) {
  EXPECT_EQ(read_request("0", kSeed), Asked::Terminate);
  EXPECT_EQ(read_request("1", kSeed), Asked::Continue);
}

TEST(HeldRequest, OfTheOldCodeIsTheOtherWayRound) {
  EXPECT_EQ(read_request("1", kLegacy), Asked::Terminate);
  EXPECT_EQ(read_request("0", kLegacy), Asked::Continue);
}

TEST(HeldRequest, MayEndWithANewline) {
  EXPECT_EQ(read_request("0\n", kSeed), Asked::Terminate);
  EXPECT_EQ(read_request("1\n", kSeed), Asked::Continue);
}

TEST(HeldRequest, WithoutABytesAsksForNothing) {
  EXPECT_EQ(read_request("", kSeed), Asked::Nothing);
}

TEST(HeldRequest, OfTwoClientsAtOnceEndsTheProcessIfOneOfThemWants) {
  EXPECT_EQ(read_request("11", kSeed), Asked::Continue);
  EXPECT_EQ(read_request("10", kSeed), Asked::Terminate);
  EXPECT_EQ(read_request("0\n1\n", kSeed), Asked::Terminate);
}

TEST(HeldRequest, WithAWrongByteNeverTerminates) {
  for (const char* bytes : {"2", "x", "\n", " 0", "0 ", "0\r\n", "00x", "-1", "0\n\n", "terminate"})
    EXPECT_EQ(read_request(bytes, kSeed), Asked::Unclear) << bytes;
  EXPECT_EQ(read_request(std::string_view("\0", 1), kSeed), Asked::Unclear);
  EXPECT_EQ(read_request(std::string_view("0\0", 2), kSeed), Asked::Unclear);
}

}  // namespace
}  // namespace assay::held
