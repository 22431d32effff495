// Finding languages, and the ones that are shipped.
#include "judge/language_set.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "judge/language_steps.h"
#include "sandbox/profile.h"

namespace assay::judge {
namespace {

const std::string kShipped = ASSAY_SOURCE_DIR "/languages";

Language named(const std::string& id, std::vector<std::string> aliases = {},
               std::vector<std::string> extensions = {}) {
  return {
      .id = id, .family = id, .aliases = std::move(aliases), .extensions = std::move(extensions)};
}

TEST(LanguageSet, FindsByIdAndAliasInAnyCase) {
  const auto set = LanguageSet::of({named("cpp", {"C++"}), named("py")});
  ASSERT_TRUE(set);
  EXPECT_EQ((*set->find("c++"))->id, "cpp");
  EXPECT_EQ((*set->find("CPP"))->id, "cpp");
}

TEST(LanguageSet, SaysWhatThereIsWhenALanguageIsUnknown) {
  const auto set = LanguageSet::of({named("cpp"), named("py")});
  const auto found = set->find("co\nbol");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().fault, Fault::NotFound);
  EXPECT_EQ(found.error().context, "no language 'co?bol'; there are cpp, py");
}

TEST(LanguageSet, FindsByTheEndingOfAFile) {
  const auto set = LanguageSet::of({named("cpp", {}, {"cpp", "cc"}), named("py", {}, {"py"})});
  EXPECT_EQ(set->for_file("dir.py/a.b.CC")->id, "cpp");
  EXPECT_EQ(set->for_file("a.txt"), nullptr);
  EXPECT_EQ(set->for_file("py"), nullptr);
}

TEST(LanguageSet, RefusesTwoOfOneName) {
  EXPECT_EQ(LanguageSet::of({named("a", {"x"}), named("b", {"X"})}).error().context,
            "languages 'a' and 'b' both have the name 'X'");
  EXPECT_EQ(LanguageSet::of({named("a", {}, {"x"}), named("b", {}, {"x"})}).error().context,
            "languages 'a' and 'b' both have the extension 'x'");
}

TEST(LanguageSet, OfNoDirectoryIsAnError) {
  EXPECT_FALSE(load_languages("/no/such/directory"));
}

TEST(LanguageSet, GrowsByAFileAlone) {
  const std::string directory = ::testing::TempDir() + "/languages-" + std::to_string(::getpid());
  std::filesystem::create_directory(directory);
  std::ofstream(directory + "/brainfuck.toml") << R"t(
name = "Brainfuck"
extensions = ["bf"]
packages = ["bf"]
source = "main.bf"
detection = { argv = "bf --version", version = "([0-9.]+)" }
run = { argv = "bf {source}" }
)t";
  const auto set = load_languages(directory);
  std::filesystem::remove_all(directory);
  ASSERT_TRUE(set) << describe(set.error());
  const Language* language = set->for_file("x.bf");
  ASSERT_NE(language, nullptr);
  const SourceText text{.content = "+."};
  const auto sources = name_sources(*language, std::span(&text, 1));
  EXPECT_EQ(run_step(*language, *sources, {}).argv, (std::vector<std::string>{"bf", "main.bf"}));
}

TEST(ShippedLanguages, AreThese) {
  const auto set = load_languages(kShipped);
  ASSERT_TRUE(set) << describe(set.error());
  std::set<std::string> ids;
  for (const Language& language : set->all())
    ids.insert(language.id);
  for (const char* id :
       {"c",       "cpp",    "cpp11",  "cpp14",   "cpp17",      "cpp20",      "cpp23",
        "python3", "pypy3",  "java",   "kotlin",  "javascript", "typescript", "go",
        "rust",    "csharp", "pascal", "haskell", "ocaml",      "ruby",       "perl",
        "lua",     "php",    "bash",   "make"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(ShippedLanguages, NameProfilesThatExist) {
  const auto set = load_languages(kShipped);
  ASSERT_TRUE(set);
  for (const Language& language : set->all())
    for (const std::string& profile : language.profiles)
      EXPECT_TRUE(sandbox::load_profile(ASSAY_SOURCE_DIR "/profiles", profile))
          << language.id << ": " << profile;
}

TEST(ShippedLanguages, WithAHeapOfTheirOwnHaveNoLimitOfTheAddressSpace) {
  const auto set = load_languages(kShipped);
  ASSERT_TRUE(set);
  for (const char* id : {"java", "kotlin", "javascript", "typescript", "go", "csharp", "haskell"})
    EXPECT_EQ((*set->find(id))->memory.model, MemoryModel::Managed) << id;
}

TEST(ShippedLanguages, CompileCppAsSeed001Says) {
  const auto set = load_languages(kShipped);
  ASSERT_TRUE(set);
  const SourceText text{.content = "int main() {}"};
  for (const auto& [name, standard] :
       {std::pair("cpp", "-std=gnu++17"), {"C++11", "-std=gnu++11"}, {"cpp23", "-std=gnu++23"}}) {
    const Language& cpp = **set->find(name);
    const auto sources = name_sources(cpp, std::span(&text, 1));
    const auto steps = compile_steps(cpp, {.sources = *sources, .flags = {"-O3"}});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].argv, (std::vector<std::string>{"g++", standard, "-O2", "-pipe",
                                                       "-DONLINE_JUDGE", "-B/usr/lib/gold-ld",
                                                       "-O3", "-o", "main", "main.cpp", "-lm"}));
  }
}

}  // namespace
}  // namespace assay::judge
