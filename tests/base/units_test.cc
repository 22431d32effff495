#include "base/units.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using namespace std::chrono_literals;

struct BytesCase {
  const char* text;
  std::uint64_t bytes;
};

TEST(Units, BytesAreReadWithEveryCommonUnitAndAlwaysMeanPowersOf1024) {
  for (const auto& [text, bytes] : {BytesCase{"0", 0},
                                    {"65536", 65536},
                                    {"7B", 7},
                                    {"64k", 64 << 10},
                                    {"64KB", 64 << 10},
                                    {"64KiB", 64 << 10},
                                    {"256MiB", 256ULL << 20},
                                    {"256 MiB", 256ULL << 20},
                                    {"1.5GiB", 3ULL << 29},
                                    {"2t", 2ULL << 40}}) {
    const auto parsed = parse_bytes(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->count, bytes) << text;
  }
}

TEST(Units, BytesThatMakeNoSenseAreRefusedWithTheTextInTheMessage) {
  for (const char* text : {"", "-1", "MiB", "1.MiB", "12 parsecs", "9223372036854775808",
                           "8388608TiB", "99999999999999999999", "0x10", "1e3", "1MiB "}) {
    const auto parsed = parse_bytes(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().fault, Fault::InvalidRequest) << text;
    EXPECT_NE(parsed.error().context.find("'" + std::string(text) + "'"), std::string::npos)
        << text;
  }
}

struct TimeCase {
  const char* text;
  Nanoseconds value;
};

TEST(Units, DurationsAreReadWithTheirUnit) {
  for (const auto& [text, value] : {TimeCase{"1s", 1s},
                                    {"350ms", 350ms},
                                    {"20us", 20us},
                                    {"7ns", 7ns},
                                    {"2m", 2min},
                                    {"2min", 2min},
                                    {"1h", 1h},
                                    {"1.5s", 1500ms},
                                    {"0.000000001s", 1ns},
                                    {"3 s", 3s}}) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, value) << text;
  }
}

TEST(Units, ADurationWithoutAUnitOrPastAYearIsRefused) {
  for (const char* text : {"5", "", "-1s", "1d", "s", "9000h", "18446744073709551616s", "1s2"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Units, ACountIsAPlainNumberInItsRange) {
  EXPECT_EQ(parse_count("32", 1, 64).value(), 32U);
  for (const char* text : {"0", "65", "-1", "", "1x", " 1", "+1", "99999999999999999999"})
    EXPECT_FALSE(parse_count(text, 1, 64)) << text;
}

TEST(Units, QuantitiesArePrintedForPeople) {
  EXPECT_EQ(format_bytes(512_B), "512 B");
  EXPECT_EQ(format_bytes(1536_B), "1.5 KiB");
  EXPECT_EQ(format_bytes(64_MiB), "64.0 MiB");
  EXPECT_EQ(format_duration(1500us), "1.50 ms");
  EXPECT_EQ(format_duration(2s), "2.000 s");
}

TEST(Result, AnErrorIsDescribedWithWhatTheKernelSaid) {
  EXPECT_EQ(describe(Error{Fault::System, ENOENT, "open 'x'"}),
            "open 'x': No such file or directory");
  EXPECT_EQ(describe(Error{Fault::InvalidRequest, 0, "no"}), "no");
}

}  // namespace
}  // namespace assay
