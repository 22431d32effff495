// Strings as Go's decoder reads them.
#include <gtest/gtest.h>

#include "wire/json.h"

namespace assay::wire {
namespace {

std::string content(std::string_view quoted) {
  const auto request =
      decode_request(R"({"cmd":[{"files":[{"content":)" + std::string(quoted) + "}]}]}");
  EXPECT_TRUE(request) << quoted << ": " << request.error().context;
  return request ? std::get<exec::Content>(request->commands.at(0).files.at(0)).bytes : "";
}

TEST(DecodeText, EscapesMeanWhatTheySay) {
  EXPECT_EQ(content(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(content(R"("a\u0041\u00e9\u4E2d\uFFFF")"), "aAé中\xEF\xBF\xBF");
  EXPECT_EQ(content(R"("\u0000")"), std::string(1, '\0'));
}

TEST(DecodeText, SurrogatesComeInPairsOrAreReplaced) {
  EXPECT_EQ(content(R"("\ud83d\ude00")"), "😀");
  EXPECT_EQ(content(R"("\ud800")"), "\uFFFD");
  EXPECT_EQ(content(R"("\udc00x")"), "\uFFFDx");
  EXPECT_EQ(content(R"("\ud800\u0041")"), "\uFFFDA");
  EXPECT_EQ(content(R"("\ud800\ud83d\ude00")"), "\uFFFD😀");
  EXPECT_EQ(content(R"("\ud800\n")"), "\uFFFD\n");
}

TEST(DecodeText, EachByteThatIsNoUtf8IsReplaced) {
  EXPECT_EQ(content("\"a\xFF\xFE b\""), "a\uFFFD\uFFFD b");
  EXPECT_EQ(content("\"\xE4\xB8\""), "\uFFFD\uFFFD");                      // cut off by the quote
  EXPECT_EQ(content("\"\xC0\xAF\""), "\uFFFD\uFFFD");                      // overlong
  EXPECT_EQ(content("\"\xED\xA0\x80\""), "\uFFFD\uFFFD\uFFFD");            // a surrogate
  EXPECT_EQ(content("\"\xF4\x90\x80\x80\""), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond Unicode
  EXPECT_EQ(content("\"中é😀\x7F\""), "中é😀\x7F");
}

TEST(DecodeText, EverythingIsFoundAtEveryOffsetOfAWord) {
  for (std::size_t before = 0; before < 20; ++before)
    for (std::size_t after = 0; after < 20; ++after) {
      const std::string left(before, 'x'), right(after, 'y');
      EXPECT_EQ(content('"' + left + "\\n" + right + '"'), left + '\n' + right);
      EXPECT_EQ(content('"' + left + "中" + right + '"'), left + "中" + right);
      EXPECT_EQ(content('"' + left + "\\\"" + right + "\\\\\""), left + '"' + right + '\\');
    }
}

}  // namespace
}  // namespace assay::wire
