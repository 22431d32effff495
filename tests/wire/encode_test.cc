#include <gtest/gtest.h>

#include "tests/wire/golden.h"
#include "wire/base64.h"
#include "wire/json.h"

namespace assay::wire {
namespace {

TEST(Encode, StringsAreEscapedAsGoDoes) {
  EXPECT_EQ(encode_string(""), R"("")");
  EXPECT_EQ(encode_string("plain /text"), R"("plain /text")");
  EXPECT_EQ(encode_string("\"\\\n\r\t\b\f"), R"("\"\\\n\r\t\b\f")");
  EXPECT_EQ(encode_string(std::string("\0\x01\x1F\x7F", 4)), "\"\\u0000\\u0001\\u001f\x7F\"");
  EXPECT_EQ(encode_string("<a>&"), R"("\u003ca\u003e\u0026")");
  EXPECT_EQ(encode_string("é中😀"), "\"é中😀\"");
  EXPECT_EQ(encode_string("a\u2028b\u2029c\u202A"), "\"a\\u2028b\\u2029c\u202A\"");
}

TEST(Encode, EachByteThatIsNoUtf8IsReplaced) {
  EXPECT_EQ(encode_string("a\xFF"), R"("a\ufffd")");
  EXPECT_EQ(encode_string("\xE4\xB8"), R"("\ufffd\ufffd")");
  EXPECT_EQ(encode_string("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")");
  EXPECT_EQ(encode_string("é\xC3("), "\"é\\ufffd(\"");
  EXPECT_EQ(encode_string("\uFFFD"), "\"\uFFFD\"");
}

TEST(Encode, EverythingIsFoundAtEveryOffsetOfAWord) {
  for (std::size_t before = 0; before < 20; ++before)
    for (std::size_t after = 0; after < 20; ++after)
      for (const std::string_view middle : {"\"", "<", "\x01", "\x80", "中"}) {
        const std::string left(before, 'x'), right(after, '~');
        const std::string escaped = encode_string(middle);
        EXPECT_EQ(encode_string(left + std::string(middle) + right),
                  '"' + left + escaped.substr(1, escaped.size() - 2) + right + '"');
      }
}

TEST(Encode, AnEmptyResultHasOnlyWhatIsAlwaysThere) {
  EXPECT_EQ(encode_results({{}}, {}),
            "[{\"status\":\"Invalid\",\"exitStatus\":0,\"time\":0,\"memory\":0,\"runTime\":0}]\n");
  EXPECT_EQ(encode_results({}, {}), "[]\n");
}

TEST(Encode, FactsThatWereNotAskedForOrNotTakenAreNotThere) {
  exec::CommandResult result{.facts = sandbox::Facts{}};
  EXPECT_EQ(encode_results({result}, {}).find("facts"), std::string::npos);
  result.facts.reset();
  EXPECT_EQ(encode_results({result}, {.wants_facts = true}).find("facts"), std::string::npos);
}

TEST(Encode, NamesAreEscapedToo) {
  const exec::CommandResult result{.files = {{"a\"<", "x"}}, .file_ids = {{"\n", "y"}}};
  const std::string text = encode_results({result}, {});
  EXPECT_NE(text.find(R"("files":{"a\"\u003c":"x"},"fileIds":{"\n":"y"})"), std::string::npos);
  EXPECT_TRUE(is_json(text));
}

TEST(Base64, EncodesWithPadding) {
  const auto encoded = [](std::string_view bytes) {
    std::string out = ">";
    append_base64(out, bytes);
    return out;
  };
  EXPECT_EQ(encoded(""), ">");
  EXPECT_EQ(encoded("f"), ">Zg==");
  EXPECT_EQ(encoded("fo"), ">Zm8=");
  EXPECT_EQ(encoded("foo"), ">Zm9v");
  EXPECT_EQ(encoded("\xFB\xFF\xFE"), ">+//+");
}

TEST(Base64, DecodesOnlyWhatItEncodes) {
  for (std::string bytes : {"", "f", "fo", "foo", "foob", "\xFB\xFF\xFE\x80"}) {
    std::string text;
    append_base64(text, bytes);
    ASSERT_TRUE(decode_base64(text));
    EXPECT_EQ(text, bytes);
  }
  for (std::string text :
       {"A", "AB", "ABC", "A===", "====", "=AAA", "AA=A", "AAA\n", "AA-_", "AAAAA==="})
    EXPECT_FALSE(decode_base64(text)) << text;
}

}  // namespace
}  // namespace assay::wire
