// Command lines as templates: C-20 of the checklist, F03 of seed 001.
#include "judge/language_template.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using Words = std::vector<std::string>;

const Meanings kValues{.texts = {{"source", "a file.cpp"}, {"output", "it's"}},
                       .lists = {{"flags", {"-O2", "-D X"}}, {"sources", {}}}};

TEST(Words, AreSplitAsAPosixShellDoes) {
  EXPECT_EQ(split_words(R"(g++  -o "a b" 'c "d' e\ f "")").value(),
            (Words{"g++", "-o", "a b", "c \"d", "e f", ""}));
  EXPECT_EQ(split_words(R"("a\"b\n" 'c\d')").value(), (Words{"a\"b\\n", "c\\d"}));
  EXPECT_EQ(split_words("  \t\n ").value(), Words{});
}

TEST(Words, WithAnOpenQuoteAreAnError) {
  EXPECT_EQ(split_words("a 'b").error().context, "has a ' without its other one");
  EXPECT_EQ(split_words("a \"b").error().context, "has a \" without its other one");
  EXPECT_EQ(split_words("a \\").error().context, "ends with a backslash");
}

TEST(Template, IsSplitBeforeItIsFilledInSoThatNamesStayOneWord) {
  EXPECT_EQ(fill_in(split_words("g++ -o{output} {source}").value(), kValues),
            (Words{"g++", "-oit's", "a file.cpp"}));
}

TEST(Template, GrowsByAListThatStandsAlone) {
  EXPECT_EQ(fill_in(Words{"g++", "{flags}", "{sources}", "x"}, kValues),
            (Words{"g++", "-O2", "-D X", "x"}));
}

TEST(Template, KeepsOtherBraces) {
  EXPECT_EQ(fill_in("{{output} {} {1} {a b}", kValues), "{output} {} {1} {a b}");
  EXPECT_EQ(fill_in("awk {{print}", kValues), "awk {print}");
}

TEST(Template, ValuesAreNotFilledInAgain) {
  const Meanings nested{.texts = {{"source", "{output}"}, {"output", "x"}}};
  EXPECT_EQ(fill_in("{source}", nested), "{output}");
}

TEST(Template, NamesOnlyWhatIsKnown) {
  const Words texts{"source"};
  const Words lists{"flags"};
  EXPECT_TRUE(check_template("-x{source}", texts, lists));
  EXPECT_TRUE(check_template("{flags}", texts, lists));
  EXPECT_EQ(check_template("{sauce}", texts, lists).error().context, "'{sauce}' is not known here");
  EXPECT_EQ(check_template("-x{flags}", texts, lists).error().context,
            "'{flags}' is several words and must stand alone");
}

}  // namespace
}  // namespace assay::judge
