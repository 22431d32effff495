// Differences at every place of the reading window, against plain code that holds whole files.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <random>

#include "judge/compare_window.h"
#include "tests/judge/compare_files.h"
#include "tests/support/sanitizer.h"

namespace assay::judge {
namespace {

using Texts = std::vector<std::string>;

Texts tokens_of(std::string_view text) {
  Texts tokens;
  std::string token;
  for (const char c : std::string(text) + " ") {
    if (!is_blank(c)) token += c;
    if (!is_blank(c) || token.empty()) continue;
    tokens.push_back(token);
    token.clear();
  }
  return tokens;
}

Texts lines_of(std::string_view text) {
  Texts lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

Texts stripped(Texts lines, std::string_view what) {
  for (std::string& line : lines)
    line.erase(line.find_last_not_of(what) + 1);
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

Texts seen_by(const std::string& name, std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  if (name == "exact") return {std::string(text)};
  if (name == "tokens") return tokens_of(text);
  if (name == "tokens-icase") return tokens_of(lowered(text));
  if (name == "lines") return stripped(lines_of(text), kBlanks);
  if (name == "fcmp") return stripped(lines_of(text), "\r");
  if (name == "unordered" || name == "unordered-tokens") {
    Texts items = name == "unordered" ? stripped(lines_of(text), kBlanks) : tokens_of(text);
    std::erase(items, "");
    std::ranges::sort(items);
    return items;
  }
  Texts lines;
  for (const std::string& line : stripped(lines_of(text), kBlanks)) {
    lines.emplace_back();
    for (const std::string& token : tokens_of(line))
      lines.back() += token + " ";
  }
  return lines;
}

std::string noise(std::mt19937& random, std::size_t most) {
  constexpr std::string_view kLetters = "aaAb  \n\n\t\r";
  std::string text(random() % (most + 1), '\0');
  for (char& c : text)
    c = kLetters[random() % kLetters.size()];
  return text;
}

// The same with a few bytes put in, taken out or changed: mostly blanks, so that many stay right.
std::string changed(std::mt19937& random, std::string text) {
  constexpr std::string_view kPutIn = "   \n\r\tab";
  for (auto times = random() % 3; times > 0; --times) {
    const std::size_t at = random() % (text.size() + 1);
    if (random() % 3 == 0 && at < text.size())
      text.erase(at, 1);
    else
      text.insert(at, 1, kPutIn[random() % kPutIn.size()]);
  }
  return text;
}

void expect_like_plain_code(const std::string& name, const std::string& output,
                            const std::string& answer) {
  const bool same = seen_by(name, output) == seen_by(name, answer);
  const std::size_t tail = std::min<std::size_t>(answer.size(), 40);
  EXPECT_EQ(letters(name, output, answer), same ? "AC" : "WA")
      << name << ", sizes " << output.size() << " and " << answer.size() << ", ends '"
      << output.substr(output.size() - std::min<std::size_t>(output.size(), 40)) << "' and '"
      << answer.substr(answer.size() - tail) << "'";
}

const std::vector<std::string> kKinds = {"exact",  "lines",        "fcmp",      "lcmp",
                                         "tokens", "tokens-icase", "unordered", "unordered-tokens"};

TEST(CompareBorders, SmallFilesAreComparedAsPlainCodeDoes) {
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    const std::string answer = noise(random, 12);
    const std::string output = i % 4 == 0 ? noise(random, 12) : changed(random, answer);
    for (const std::string& name : kKinds)
      expect_like_plain_code(name, output, answer);
  }
}

TEST(CompareBorders, DifferencesAroundTheEndOfTheWindowAreSeen) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    const std::string answer_tail = noise(random, 30);
    const std::string output_tail = changed(random, answer_tail);
    const std::size_t before = Window::kCapacity - random() % 30;
    const std::string filler = i % 2 == 0 ? std::string(before, 'x') : [&] {
      std::string text;
      while (text.size() < before)
        text += "ab cd\n";
      return text.substr(0, before);
    }();
    const std::string shift(random() % 4, i % 3 == 0 ? '\n' : ' ');
    for (const std::string& name : kKinds)
      expect_like_plain_code(name, shift + filler + output_tail, filler + answer_tail);
  }
}

TEST(CompareBorders, NumbersSplitByTheEndOfTheWindowAreWhole) {
  for (std::size_t back = 0; back < 12; ++back) {
    std::string filler;
    while (filler.size() < Window::kCapacity - 16)
      filler += "1 ";
    filler.resize(Window::kCapacity - back - 1);
    filler += ' ';
    EXPECT_EQ(letters("floats", filler + "0.3333333 7", filler + "0.33333333333 7.0"), "AC");
    EXPECT_EQ(letters("floats", filler + "0.3333333 8", filler + "0.33333333333 7.0"), "WA");
    EXPECT_EQ(letters("floats", filler + "0.3334333", filler + "0.33333333333"), "WA");
    EXPECT_EQ(letters("numbers", filler + "000123456", filler + "+123456"), "AC");
    EXPECT_EQ(letters("numbers", filler + "000123457", filler + "+123456"), "WA");
    EXPECT_EQ(letters("floats", "\n\n" + filler + "0.3333333", filler + "0.33333333333"), "AC");
  }
}

TEST(CompareBorders, OtherBlanksInEveryGapHideNoDifference) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string answer;
    while (answer.size() < 400)
      answer += std::to_string(random() % 1000) + (random() % 2 == 0 ? " " : "\n");
    std::string output = answer;
    for (char& c : output)
      if (is_blank(c)) c = " \n\t\v\f\r"[random() % 6];
    expect_like_plain_code("tokens", output, answer);
    expect_like_plain_code("lcmp", output, answer);
    output[random() % output.size()] = " \n7"[random() % 3];
    expect_like_plain_code("tokens", output, answer);
  }
}

TEST(CompareBorders, OneFileMayBeAPrefixOfTheOtherAtAnySize) {
  for (const std::size_t size :
       {Window::kCapacity - 1, Window::kCapacity, Window::kCapacity + 1, 2 * Window::kCapacity}) {
    const std::string text(size, 'x');
    for (const std::string& name : kKinds) {
      EXPECT_EQ(letters(name, text, text + "x"), "WA") << name << size;
      EXPECT_EQ(letters(name, text + "x", text), "WA") << name << size;
      EXPECT_EQ(letters(name, text, text), "AC") << name << size;
      EXPECT_EQ(letters(name, text + "\n", text), name == "exact" ? "WA" : "AC") << name << size;
    }
  }
}

TEST(CompareBorders, TokensOfFiftyMegabytes) {
  const std::string huge(std::size_t{50} << 20, '7');
  for (const char* name :
       {"exact", "lines", "tokens", "tokens-icase", "floats", "numbers", "unordered"}) {
    EXPECT_EQ(letters(name, huge, huge), "AC") << name;
    EXPECT_EQ(letters(name, huge + "1", huge + "2"), "WA") << name;
  }
  EXPECT_EQ(said("floats", huge + "1", huge + "2"),
            "WA line 1, token 1: expected \"" + std::string(40, '7') + "…\", found \"" +
                std::string(40, '7') + "…\", too long for a number and not the same text");
  EXPECT_EQ(letters("floats", huge + " 0.50", huge + "\n0.5"), "AC");
  EXPECT_EQ(letters("rcmp6", huge, "7"), "WA");
  EXPECT_EQ(letters("yes-no", huge, "yes"), "WA");
}

TEST(CompareBorders, NumbersAreNumbersUpToTheirLongestSize) {
  const std::string zeros(kLongestNumber - 1, '0');
  EXPECT_EQ(letters("numbers", zeros + "7", "7"), "AC");
  EXPECT_EQ(letters("floats", zeros + "7", "7"), "AC");
  EXPECT_EQ(letters("numbers", zeros + "07", "7"), "WA");
  EXPECT_EQ(letters("floats", zeros + "07", "7"), "WA");
}

TEST(CompareBorders, MemoryDoesNotGrowWithTheFiles) {
  if (kAddressSanitizer) GTEST_SKIP() << "a sanitizer's own memory grows";
  constexpr off_t kSize = off_t{512} << 20;  // holes: nothing is stored, all is read
  const os::OwnedFd output = file_with("");
  const os::OwnedFd answer = file_with("");
  ASSERT_EQ(::ftruncate(output.get(), kSize), 0);
  ASSERT_EQ(::ftruncate(answer.get(), kSize), 0);
  ASSERT_EQ(::pwrite(output.get(), "1", 1, kSize - 1), 1);
  rusage before{};
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &before), 0);
  for (const char* name : {"tokens", "floats", "unordered"}) {
    const auto result = compare(output.get(), answer.get(), comparison_named(name).value());
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->verdict, verdict::Verdict::WrongAnswer) << name;
  }
  rusage after{};
  ASSERT_EQ(::getrusage(RUSAGE_SELF, &after), 0);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 8 << 10);  // KiB
}

}  // namespace
}  // namespace assay::judge
