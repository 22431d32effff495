#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "judge/compare_window.h"
#include "tests/judge/compare_files.h"

namespace assay::judge {
namespace {

TEST(CompareUnordered, LinesMayHaveAnyOrderButMustAllBeThere) {
  expect_each("unordered", {{"a\nb\nc\n", "c\nb\na\n", "AC"},
                            {"b \r\na", "a\nb\n", "AC"},
                            {"\n\nb\n\na\n", "a\nb", "AC"},
                            {"", "", "AC"},
                            {" \n\t\n", "", "AC"},
                            {"a\na\nb", "a\nb\nb", "WA"},
                            {"a\nb", "a\nb\nb", "WA"},
                            {"a\nb\nb", "a\nb", "WA"},
                            {"a b", "b a", "WA"},
                            {" a", "a", "WA"},
                            {"ab\ncd", "ad\ncb", "WA"},
                            {"", "a", "WA"}});
}

TEST(CompareUnordered, TokensAndIntegersToo) {
  expect_each("unordered-tokens",
              {{"1 2\n3", "3 2 1", "AC"}, {"1 2 2", "1 1 2", "WA"}, {"01 2", "2 1", "WA"}});
  expect_each("uncmp", {{"03 -0 +2", "0 2 3", "AC"},
                        {"1 2", "2 3", "WA"},
                        {"-1", "1", "WA"},
                        {"1 x", "1 2", "PE"},
                        {"2 1", "1 x", "JE"}});
  EXPECT_EQ(said("uncmp", "1\nx", "1 2"), "PE line 2 of the output: \"x\" is not an integer");
  EXPECT_EQ(said("uncmp", "2 1", "1\n\nx"), "JE line 3 of the answer: \"x\" is not an integer");
}

TEST(CompareUnordered, MessagesNameALineThatIsMissingOrTooMuch) {
  EXPECT_EQ(said("unordered", "a\nb\nb\n", "b\na\n"),
            "WA line 2: found the line \"b\" 2 times, expected it once");
  EXPECT_EQ(said("unordered", "b\n", "b\na\na\n"),
            "WA expected the line \"a\" 2 times, found it nowhere");
  EXPECT_EQ(said("unordered", "b\nx\n", "b\n"),
            "WA line 2: found the line \"x\" once, expected it nowhere");
  EXPECT_EQ(said("unordered-tokens", "1 \x1b", "1"),
            "WA line 1: found the token \"\\x1b\" once, expected it nowhere");
}

TEST(CompareUnordered, TheSameFilesAlwaysGetTheSameMessage) {
  const std::string first = said("unordered", "a\nb\nc\nd\n", "e\nf\ng\nh\n");
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(said("unordered", "a\nb\nc\nd\n", "e\nf\ng\nh\n"), first);
}

TEST(CompareUnordered, ItemsOfAnySizeAreFoundAtAnyPlace) {
  const std::string big(Window::kCapacity + 12345, 'x');
  const std::string blanks(2 * Window::kCapacity, ' ');
  EXPECT_EQ(letters("unordered", "a\n" + big + "\nb\n", "b\na\n" + big + "\n"), "AC");
  EXPECT_EQ(letters("unordered", "a\n" + big + blanks + "\nb", "b\na\n" + big), "AC");
  EXPECT_EQ(letters("unordered", "a\n" + big + blanks + "y\nb", "b\na\n" + big), "WA");
  EXPECT_EQ(letters("unordered", "a\n" + blanks + "\nb", "b\na\n"), "AC");
  EXPECT_EQ(letters("unordered", "a\n" + blanks + "x\nb", "b\na\nx"), "WA");
  EXPECT_EQ(letters("unordered", "a\n" + big + "\n", big + "x\na\n"), "WA");
  EXPECT_EQ(letters("uncmp", "1 " + std::string(70000, '7'), std::string(70000, '7') + " 1"), "AC");
}

TEST(CompareUnordered, ManyShuffledLinesAndOneThatIsNot) {
  std::mt19937 random(7);
  std::vector<std::string> lines;
  for (int i = 0; i < 50000; ++i)
    lines.push_back(std::to_string(random() % 1000000));
  const auto joined = [&] {
    std::string text;
    for (const std::string& line : lines)
      text += line + "\n";
    return text;
  };
  const std::string answer = joined();
  std::ranges::shuffle(lines, random);
  EXPECT_EQ(letters("unordered", joined(), answer), "AC");
  const std::string missing = std::exchange(lines[31234], "odd");
  const std::string message = said("unordered", joined(), answer);
  // Which of the two differences is named is a matter of hashes; both are true.
  EXPECT_TRUE(message == "WA line 31235: found the line \"odd\" once, expected it nowhere" ||
              (message.starts_with("WA ") && message.contains("the line \"" + missing + "\"")))
      << message;
}

}  // namespace
}  // namespace assay::judge
