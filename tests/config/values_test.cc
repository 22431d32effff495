#include "app/daemon/config/values.h"

#include <gtest/gtest.h>

namespace assay::daemon {
namespace {

using namespace std::chrono_literals;

TEST(Values, DurationsAreGos) {
  const std::vector<std::pair<std::string, Nanoseconds>> good{
      {"0", 0ns},
      {"0s", 0ns},
      {"100ms", 100ms},
      {"1h2m3.5s", 1h + 2min + 3500ms},
      {"1.5h", 90min},
      {".5s", 500ms},
      {"1.s", 1s},
      {"3us", 3us},
      {"3\u00b5s", 3us},
      {"3\u03bcs", 3us},
      {"7ns", 7ns},
      {"+1s", 1s},
      {"0.000000001s", 1ns},
      {"1m1m", 2min},
  };
  for (const auto& [text, value] : good) {
    const auto parsed = parse_go_duration(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, value) << text;
  }
  for (const char* bad : {"", "s", ".", ".s", "1", "1x", "-1s", "1 s", "1s 2s", "9999999999h",
                          "99999999999999999999s", "1ss", "+"})
    EXPECT_FALSE(parse_go_duration(bad)) << bad;
}

TEST(Values, SizesArePowersOfTwo) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, Bytes>>{{"0", 0_B},
                                                                              {"100", 100_B},
                                                                              {"100b", 100_B},
                                                                              {"16k", 16_KiB},
                                                                              {"16K", 16_KiB},
                                                                              {"64m", 64_MiB},
                                                                              {"64mb", 64_MiB},
                                                                              {"2g", 2_GiB}}) {
    const auto parsed = parse_size(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(*parsed, value) << text;
  }
  for (const char* bad : {"", "k", "-1", "1x", "1kk", "99999999999g"})
    EXPECT_FALSE(parse_size(bad)) << bad;
}

TEST(Values, ListsDropEmptyParts) {
  EXPECT_EQ(parse_list("a,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parse_list(",a,,b,"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(parse_list("").empty());
  EXPECT_TRUE(parse_list(",").empty());
}

TEST(Values, CoresAreSortedAndCountedOnce) {
  EXPECT_EQ(*parse_cores("3,0-1,1"), (std::vector<unsigned>{0, 1, 3}));
  for (const char* bad : {"", ",", "-", "1-", "-1", "a", "2-1", "5000", "0-4294967295"})
    EXPECT_FALSE(parse_cores(bad)) << bad;
}

TEST(Values, CoresAreShownAsTheyAreWritten) {
  EXPECT_EQ(show_cores({0, 1, 3, 5, 6, 7}), "0-1,3,5-7");
  EXPECT_EQ(show_cores({4}), "4");
  EXPECT_EQ(show_cores({}), "");
}

TEST(Values, CoresThatCannotBeUsedAreNamedWithThoseThatCan) {
  EXPECT_TRUE(check_cores({0, 3}, {0, 1, 3}));
  const auto one = check_cores({9}, {0, 1});
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().context, "core 9 cannot be used by this process; it may use 0-1");
  const auto some = check_cores({0, 1, 2, 3}, {1, 7});
  ASSERT_FALSE(some);
  EXPECT_EQ(some.error().context, "cores 0,2-3 cannot be used by this process; it may use 1,7");
}

TEST(Values, AddressesHaveAHostAndAPort) {
  EXPECT_EQ(*parse_address("localhost:5050"), (Address{"localhost", "5050"}));
  EXPECT_EQ(*parse_address(":0"), (Address{"", "0"}));
  EXPECT_EQ(*parse_address("[::1]:80"), (Address{"::1", "80"}));
  EXPECT_EQ(*parse_address("0.0.0.0:65535"), (Address{"0.0.0.0", "65535"}));
  for (const char* bad : {"", "localhost", "::1:80", "[::1:80", "a:b", ":65536", ":-1", "x:"})
    EXPECT_FALSE(parse_address(bad)) << bad;
}

}  // namespace
}  // namespace assay::daemon
