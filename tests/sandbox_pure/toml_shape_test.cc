// TOML that would take toml++ deeper than a stack is: all that is read from such files must be
// refused before, and nothing that anybody writes.
#include "sandbox/toml_shape.h"

#include <gtest/gtest.h>

#include "sandbox/document.h"

namespace assay::sandbox {
namespace {

std::string dotted(std::size_t parts, std::string_view part = "a") {
  std::string key(part);
  for (std::size_t i = 1; i < parts; ++i)
    key.append(".").append(part);
  return key;
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += text;
  return all;
}

std::string complaint(const std::string& text) {
  const auto parsed = parse_document("x.toml", text);
  return parsed ? "none" : parsed.error().context;
}

// A package of 185 bytes ended the daemon: its key had 20 000 parts, and the tree as many storeys.
TEST(TomlShape, AKeyOfManyPartsIsRefusedWhereverItStands) {
  const std::string deep = dotted(20'000);
  EXPECT_EQ(complaint(deep + " = 1"), "x.toml:1:32: a key of more than 16 parts");
  for (const std::string& text :
       {"[" + deep + "]", "[[" + deep + "]]", "b = {" + deep + " = 1}",
        "b = [{c = 1, " + deep + " = 1}]", dotted(20'000, "\"a\"") + " = 1",
        dotted(20'000, "'#'") + " = 1", dotted(20'000, " a\t") + " = 1",
        "b = \"\"\"\n\"\"\"\"\"\n" + deep + " = 1", "b = \"\\\\\"\n" + deep + " = 1",
        "b = '\\'\n" + deep + " = 1", "# \"\n" + deep + " = 1", "b = \"\"\n" + deep + " = 1",
        "b = ''''''''\n" + deep + " = 1", "b = \"\"\"\\\n \"\"\"\n" + deep + " = 1"})
    EXPECT_TRUE(complaint(text).ends_with(": a key of more than 16 parts"))
        << text.substr(0, 40) << ": " << complaint(text);
}

TEST(TomlShape, TablesInTablesAddUpToLittle) {
  const std::string open = "{" + dotted(16) + " = ";
  EXPECT_EQ(complaint("b = " + repeated(open, 31) + "1" + repeated("}", 31)), "none");
  EXPECT_TRUE(complaint("b = " + repeated(open, 32) + "1" + repeated("}", 32)).contains("depth"));
  EXPECT_TRUE(complaint("b = " + std::string(100'000, '[')).contains("depth"));
}

TEST(TomlShape, DotsThatLinkNothingAreNotCounted) {
  const std::string dots(5000, '.');
  EXPECT_EQ(complaint("# " + dots + "\n" + dotted(16) + " = 1 # " + dots), "none");
  EXPECT_EQ(complaint("'" + dots + "'.\"" + dots + "\" = \"\\\"" + dots + "\"\nb = '" + dots + "'"),
            "none");
  EXPECT_EQ(complaint("a = \"\"\"\n" + dots + "\"\"\\\"\"\n" + dots + "\"\"\"\"\"\nb = '''\n''" +
                      dots + "'''\n"),
            "none");
  EXPECT_EQ(complaint("a = [" + repeated("1.5, ", 1000) + "]\nb = " + "1.5\n"), "none");
}

// toml++ searches a list of all of them for each: the time grows with the square.
TEST(TomlShape, AFileOfTablesAloneIsRefused) {
  std::string text;
  for (int i = 0; text.size() < (1U << 20); ++i)
    text += "a" + std::to_string(i) + ".b = 1\n";
  EXPECT_EQ(complaint(text), "none");
  while (text.size() < (3U << 20))
    text += "[[b" + std::to_string(text.size()) + "]]\n";
  EXPECT_TRUE(complaint(text).ends_with(": more than 100000 tables, arrays and dotted keys"))
      << complaint(text);
}

TEST(TomlShape, AFileOfValuesAloneIsRefused) {
  EXPECT_EQ(complaint("a = [" + repeated("1,", 399'999) + "]"), "none");
  EXPECT_EQ(complaint("a = [\n" + repeated("1,", 400'000) + "]"),
            "x.toml:2:800000: more than 400000 values");
}

}  // namespace
}  // namespace assay::sandbox
