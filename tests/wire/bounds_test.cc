// Hostile sizes: an error or a result, in bounded memory, never a crash.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/sanitizer.h"
#include "wire/json.h"

namespace assay::wire {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

// Peak memory of this process since the last call, in bytes.
std::size_t peak_since_reset() {
  std::size_t peak = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) peak = std::stoull(line.substr(6)) * 1024;
  std::ofstream("/proc/self/clear_refs") << "5";
  return peak;
}

TEST(Bounds, SixtyFourLevelsAreReadAndMoreAreNot) {
  EXPECT_TRUE(
      decode_request(R"({"x":)" + repeated("[", 63) + repeated("]", 63) + R"(,"cmd":[{}]})"));
  for (const std::size_t depth : {64U, 10'000U, 1'000'000U}) {
    const auto arrays = decode_request(R"({"x":)" + repeated("[", depth));
    ASSERT_FALSE(arrays);
    EXPECT_TRUE(arrays.error().context.ends_with("nested deeper than 64 levels"));
    EXPECT_LT(arrays.error().context.size(), 1000U);
    EXPECT_FALSE(decode_request(repeated(R"({"x":)", depth + 1)));
  }
}

TEST(Bounds, AMillionValuesAreEnough) {
  const auto many =
      decode_request(R"({"cmd":[{"args":[)" + repeated("\"\",", 1'000'000) + "\"\"]}]}");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().context, "$.cmd[0].args: the request has more than 1000000 values");
  const auto some =
      decode_request(R"({"cmd":[{"args":[)" + repeated("\"\",", 500'000) + "\"\"]}]}");
  ASSERT_TRUE(some);
  EXPECT_EQ(some->commands[0].args.size(), 500'001U);
}

TEST(Bounds, AThousandCommandsAreEnough) {
  EXPECT_TRUE(decode_request(R"({"cmd":[)" + repeated("{},", 1023) + "{}]}"));
  const auto many = decode_request(R"({"cmd":[)" + repeated("{},", 1024) + "{}]}");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().context, "$.cmd[1024]: more than 1024 commands");
}

TEST(Bounds, AHundredThousandNamesInCopyInAreReadAtOnce) {
  std::string json = R"({"cmd":[{"copyIn":{)";
  for (int i = 0; i < 100'000; ++i)
    json += '"' + std::to_string(i % 90'000) + R"(":{"content":""},)";
  json.back() = '}';
  const auto request = decode_request(json + "}]}");
  ASSERT_TRUE(request) << request.error().context;
  EXPECT_EQ(request->commands[0].copy_in.size(), 90'000U);
}

TEST(Bounds, ALargeStringIsCopiedOnce) {
  if (kThreadSanitizer) GTEST_SKIP() << "a sanitizer's own memory grows";
  std::string json = R"({"cmd":[{"files":[{"content":")";
  json += repeated("12345 67890\\n", 8'000'000) + R"("}]}]})";
  (void)peak_since_reset();
  const std::size_t before = peak_since_reset();
  auto request = decode_request(json);
  const std::size_t grown = peak_since_reset() - before;
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<exec::Content>(request->commands[0].files[0]).bytes.size(), 12U * 8'000'000);
  EXPECT_LT(grown, json.size() + json.size() / 2);
}

TEST(Bounds, AMessageShowsLittleOfWhatIsLarge) {
  const std::string key(100'000, 'k'), digits(100'000, '7'), word(100'000, 'w');
  for (const std::string& json :
       {R"({"cmd":[{"copyIn":{")" + key + R"(":5}}]})", R"({"cmd":[{"cpuLimit":)" + digits + "}]}",
        R"({"cmd":[{"cpuLimit":-)" + digits + "}]}", R"({"cmd":)" + digits + "}",
        R"({"priority":)" + digits + "}", R"({"encoding":")" + word + "\"}"}) {
    const auto request = decode_request(json);
    ASSERT_FALSE(request);
    EXPECT_LT(request.error().context.size(), 300U);
  }
}

TEST(Bounds, ARequestThatStopsAnywhereIsAnError) {
  const std::string json =
      R"({"cmd":[{"args":["a\n","\u00e9"],"cpuLimit":10,"tty":true,"copyIn":{"a":{"content":null,"src":"b"}}}]})";
  ASSERT_TRUE(decode_request(json));
  for (std::size_t size = 0; size < json.size(); ++size) {
    const std::string part = json.substr(0, size);
    EXPECT_FALSE(decode_request(part)) << part;
  }
}

}  // namespace
}  // namespace assay::wire
