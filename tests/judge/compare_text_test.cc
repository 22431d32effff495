#include <gtest/gtest.h>

#include "tests/judge/compare_files.h"

namespace assay::judge {
namespace {

using namespace std::string_view_literals;

TEST(CompareExact, EveryByteCounts) {
  expect_each("exact", {{"", "", "AC"},
                        {"a\n", "a\n", "AC"},
                        {"a", "a\n", "WA"},
                        {"a\n", "a", "WA"},
                        {"a\r\n", "a\n", "WA"},
                        {"a \n", "a\n", "WA"},
                        {"A", "a", "WA"},
                        {"a\0b"sv, "a\0b"sv, "AC"},
                        {"a\0b"sv, "a\0c"sv, "WA"},
                        {"", "a", "WA"},
                        {"a", "", "WA"},
                        {"\xff\xfe", "\xff\xfe", "AC"},
                        {"\xff\xfe", "\xff\xfd", "WA"}});
}

TEST(CompareExact, MessagesNameLineAndColumnAndShowBothSides) {
  EXPECT_EQ(said("exact", "a\nbcx\n", "a\nbcd\n"),
            "WA line 2, column 3: expected \"bcd\\n\", found \"bcx\\n\"");
  EXPECT_EQ(said("exact", "ab", "ab\n"), "WA line 1, column 3: expected \"ab\\n\", found \"ab\"");
  EXPECT_EQ(said("exact", "", "x"),
            "WA line 1, column 1: expected \"x\", found the end of the output");
  EXPECT_EQ(said("exact", "a\n", "a\nb"),
            "WA line 2, column 1: expected \"b\", found the end of the output");
  EXPECT_EQ(said("exact", "a\nb", "a\n"),
            "WA line 2, column 1: expected the end of the answer, found \"b\"");
}

TEST(CompareExact, LongLinesAreShownAroundTheDifference) {
  const std::string same(100, 'x');
  EXPECT_EQ(said("exact", same + "1", same + "2"), "WA line 1, column 101: expected \"" +
                                                       std::string(20, 'x') + "2\", found \"" +
                                                       std::string(20, 'x') + "1\"");
}

TEST(CompareExact, PresentationErrorWhereAskedFor) {
  expect_each("exact-pe", {{"a b\n", "a b\n", "AC"},
                           {"a  b", "a b\n", "PE"},
                           {"a\nb", "a b\n", "PE"},
                           {"ab", "a b\n", "WA"}});
  expect_each("lines-pe",
              {{"a b  \n\n", "a b\n", "AC"}, {" a b", "a b\n", "PE"}, {"a", "b", "WA"}});
}

// The cases that Normal-OJ documents for its own comparison.
TEST(CompareLines, FollowsTheRulesOfNormalOj) {
  expect_each("lines", {{"aaa\nbbb\n", "aaa\nbbb\n", "AC"},
                        {"aaa  \nbbb\t\n", "aaa\nbbb\n", "AC"},
                        {"aaa\nbbb\n\n", "aaa\nbbb\n", "AC"},
                        {"aaa\n\nbbb\n", "aaa\nbbb\n", "WA"},
                        {" aaa\nbbb\n", "aaa\nbbb\n", "WA"},
                        {"aaa\nbbb\n\b", "aaa\nbbb\n", "WA"},
                        {"", "", "AC"},
                        {"\n\n\n", "", "AC"},
                        {"", "\n\n", "AC"},
                        {"\t\r\n", "", "AC"},
                        {"aaa\r\nbbb\r\n", "aaa\nbbb\n", "AC"}});
}

TEST(CompareLines, OnlyTheEndsOfLinesAreFree) {
  expect_each("lines", {{"a", "a\n", "AC"},
                        {"a  ", "a", "AC"},
                        {"a  b", "a b", "WA"},
                        {"a  ", "a  b", "WA"},
                        {"a  b", "a  ", "WA"},
                        {"a\t", "a ", "AC"},
                        {"a\n \n\t\n", "a", "AC"},
                        {"a\n \nb", "a\n\nb", "AC"},
                        {"a\n\n\nb", "a", "WA"},
                        {"a", "a\n\n\nb", "WA"},
                        {"a\nb", "a\nbc", "WA"},
                        {"a\nbc", "a\nb", "WA"},
                        {"\na", "a", "WA"},
                        {"a\rb", "a\nb", "WA"}});
  EXPECT_EQ(said("lines", "1 2\n3 4\n", "1 2\n3 5\n"),
            "WA line 2, column 3: expected \"3 5\", found \"3 4\"");
  EXPECT_EQ(said("lines", "1\n", "1\n2\n"),
            "WA line 2, column 1: expected \"2\", found the end of the output");
}

TEST(CompareLines, FcmpForgivesOnlyCarriageReturns) {
  expect_each("fcmp", {{"a\r\nb\r\n", "a\nb\n", "AC"},
                       {"a\nb", "a\nb\n", "AC"},
                       {"a\nb\n\n", "a\nb\n", "AC"},
                       {"a \nb\n", "a\nb\n", "WA"},
                       {"a", "a  ", "WA"},
                       {"a  b\n", "a b\n", "WA"},
                       {"a\n  \n", "a\n", "WA"}});
}

TEST(CompareLines, LineTokensCollapseBlanksButKeepLines) {
  expect_each("lcmp", {{" a   b \n", "a b\n", "AC"},
                       {"a b", "a b\n\n \n", "AC"},
                       {"a\nb", "a b", "WA"},
                       {"a b", "a\nb", "WA"},
                       {"a\n\nb", "a\nb", "WA"},
                       {"ab", "a b", "WA"},
                       {"a\r\nb\r\n", "a\nb\n", "AC"},
                       {"a\nb\nc", "a\nb", "WA"},
                       {"", "  \n\t", "AC"}});
  EXPECT_EQ(said("lcmp", "1 2\n", "1\n2\n"),
            "WA line 1, token 2: expected the end of the line, found \"2\"");
}

TEST(CompareTokens, GapsAreFreeAndTokensAreNot) {
  expect_each("tokens", {{"", "", "AC"},
                         {" \n\t\v\f\r", "", "AC"},
                         {"", " \n", "AC"},
                         {"1 2 3", "1\n2\n3\n", "AC"},
                         {"\n\n1   2\t3", "1 2 3", "AC"},
                         {"1 2 3", "1 2", "WA"},
                         {"1 2", "1 2 3", "WA"},
                         {"12", "1 2", "WA"},
                         {"1 2", "12", "WA"},
                         {"a", "A", "WA"},
                         {"ab", "abc", "WA"},
                         {"abc", "ab", "WA"},
                         {"abc", "ab c", "WA"},
                         {"a\0"sv, "a"sv, "WA"},
                         {"a\0 b"sv, "a\0\nb"sv, "AC"},
                         {"1.0", "1", "WA"},
                         {"\xc3\x28", "\xc3\x28 ", "AC"},
                         {"\xc2\xa0", " ", "WA"}});
}

TEST(CompareTokens, MessagesNameLineAndToken) {
  EXPECT_EQ(said("tokens", "1 2\n3 4\n", "1 2 3 5"),
            "WA line 2, token 4: expected \"5\", found \"4\"");
  EXPECT_EQ(said("tokens", "1\n12345\n", "1\n12399\n"),
            "WA line 2, token 2: expected \"12399\", found \"12345\"");
  EXPECT_EQ(said("tokens", "1 2", "1 2 3"),
            "WA line 1, token 3: expected \"3\", found the end of the output");
  EXPECT_EQ(said("tokens", "1 2 3", "1 2"),
            "WA line 1, token 3: expected the end of the answer, found \"3\"");
  EXPECT_EQ(said("tokens", "ab", "abc"), "WA line 1, token 1: expected \"abc\", found \"ab\"");
  EXPECT_EQ(said("tokens", "", "7"),
            "WA line 1, token 1: expected \"7\", found the end of the output");
}

TEST(CompareTokens, MessagesAreShortAndSafeWhateverTheOutputIs) {
  EXPECT_EQ(said("tokens", "\x1b[31m\x07", "x"),
            "WA line 1, token 1: expected \"x\", found \"\\x1b[31m\\x07\"");
  EXPECT_EQ(said("tokens", "\xff\xc3\xa9\xe2\x80\xae", "x"),
            "WA line 1, token 1: expected \"x\", found \"\\xffé\\u202e\"");
  EXPECT_EQ(said("tokens", "a\0b"sv, "x"), "WA line 1, token 1: expected \"x\", found \"a\\x00b\"");
  const std::string huge(1 << 20, '\x01');
  EXPECT_LT(said("tokens", huge, "x").size(), 300U);
  std::string wide;
  for (int i = 0; i < 1000; ++i)
    wide += "é";
  const std::string message = said("tokens", wide, "x");
  EXPECT_TRUE(message.ends_with("é…\"")) << message;
}

TEST(CompareTokens, CaseIsIgnoredWhereAskedForAndShownAsWritten) {
  expect_each("tokens-icase", {{"Yes nO", "yes NO", "AC"},
                               {"[", "{", "WA"},
                               {"@", "`", "WA"},
                               {"\xc3\x89", "\xc3\xa9", "WA"},
                               {"Z", "z", "AC"}});
  EXPECT_EQ(said("tokens-icase", "Hello", "HELP"),
            "WA line 1, token 1: expected \"HELP\", found \"Hello\"");
}

TEST(Compare, WhatIsNotARegularFileIsAnError) {
  auto pipe = os::make_pipe();
  ASSERT_TRUE(pipe.has_value());
  const os::OwnedFd answer = file_with("1");
  const auto result = compare(pipe->read_end.get(), answer.get(), {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().fault, Fault::InvalidRequest);
  EXPECT_FALSE(compare(-1, answer.get(), {}).has_value());
  EXPECT_FALSE(compare(answer.get(), -1, {}).has_value());
}

TEST(Compare, OffsetsOfTheDescriptorsDoNotMatterAndAreNotMoved) {
  const os::OwnedFd output = file_with("1 2");
  const os::OwnedFd answer = file_with("1 2");
  ASSERT_EQ(::lseek(output.get(), 2, SEEK_SET), 2);
  const auto result = compare(output.get(), answer.get(), {});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->verdict, verdict::Verdict::Accepted);
  EXPECT_EQ(::lseek(output.get(), 0, SEEK_CUR), 2);
}

}  // namespace
}  // namespace assay::judge
