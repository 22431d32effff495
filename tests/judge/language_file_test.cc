// Reading languages/<id>.toml: what is taken, and what every mistake is called.
#include "judge/language_file.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::string>;

const std::string kSmallest = R"t(
name = "X"
packages = ["x"]
source = "main.x"
detection = { argv = "x -v", version = "([0-9]+)" }
run = { argv = "x {source}" }
)t";

Result<std::vector<Language>> parse(const std::string& text) {
  return parse_language("x", "x.toml", text);
}

std::string complaint(const std::string& more) {
  const auto parsed = parse(kSmallest + more);
  return parsed ? "none" : parsed.error().context;
}

TEST(LanguageFile, NeedsFewLines) {
  const auto parsed = parse(kSmallest);
  ASSERT_TRUE(parsed) << describe(parsed.error());
  ASSERT_EQ(parsed->size(), 1U);
  const Language& language = parsed->front();
  EXPECT_EQ(language.id, "x");
  EXPECT_EQ(language.run.argv, (Words{"x", "{source}"}));
  EXPECT_TRUE(language.compile.empty());
  EXPECT_FALSE(language.lint);
  EXPECT_EQ(language.profile(Task::Compile), "compile");
  EXPECT_EQ(language.profile(Task::Run), "default");
  EXPECT_EQ(language.time.multiplier, Factor{1000});
  EXPECT_EQ(language.time.wall_factor, Factor{2000});
  EXPECT_EQ(language.time.wall_extra, 500ms);
}

TEST(LanguageFile, SaysEverything) {
  const auto parsed = parse(R"t(
name = "X"
aliases = ["y"]
extensions = ["x"]
headers = ["xh"]
packages = ["x"]
source = "Main.x"
source_name = "java"
output = "main"
more_processes = 8
[variables]
standard = "1"
[detection]
argv = ["x", "-v"]
version = '\d{2}'
[[compile]]
argv = "x1 {flags} {sources} {warm} {extraFlags}"
outputs = ["o/{output}.o"]
[[compile]]
argv = ["x2", "{standard}", "{src}", "{bin}"]
outputs = ["{output}"]
environment = { A = "{entry}" }
limits = { memory = "2GiB" }
[lint]
argv = "x --check {sources}"
[run]
argv = "./{output} {memory_mb} {initial_memory_mb} {stack_mb} {stack_kb}"
[profiles]
compile = "a"
lint = "b"
run = "c"
checker = "d"
interactor = "e"
[memory]
model = "managed"
multiplier = 1.5
overhead = "64MiB"
most_stack = "1MiB"
exhausted = [{ exit_code = 3 }, { signal = 6, errors = "memory" }]
[time]
multiplier = 2
wall_factor = 3.125
wall_extra = "2s"
[flags]
allow = ["-O2"]
deny = ["-x"]
unknown = "drop"
[warmth]
file = "h.h"
content = "{whatever}"
place = "warm/h"
when = 'a{2}'
use = ["-Iwarm"]
step = { argv = "x1 {flags} {source}", outputs = ["h.gch"] }
[[files]]
name = "ours.x"
content = "{whatever}"
)t");
  ASSERT_TRUE(parsed) << describe(parsed.error());
  const Language& language = parsed->front();
  EXPECT_EQ(language.name_rule, NameRule::Java);
  ASSERT_EQ(language.compile.size(), 2U);
  EXPECT_EQ(language.compile[1].limits.memory, 2_GiB);
  EXPECT_EQ(language.compile[1].environment, Words{"A={entry}"});
  EXPECT_EQ(language.profiles, (std::array<std::string, kTasks>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(language.memory.model, MemoryModel::Managed);
  EXPECT_EQ(language.memory.multiplier, Factor{1500});
  EXPECT_EQ(language.memory.exhausted.size(), 2U);
  EXPECT_EQ(language.time.multiplier, Factor{2000});
  EXPECT_EQ(language.time.wall_factor, Factor{3125});
  EXPECT_TRUE(language.flags.drop_unknown);
  ASSERT_TRUE(language.warmth);
  EXPECT_EQ(language.warmth->step.outputs, Words{"h.gch"});
  EXPECT_EQ(language.more_processes, 8U);
  EXPECT_EQ(language.headers, Words{"xh"});
  EXPECT_EQ(language.files, (std::vector<Companion>{{"ours.x", "{whatever}"}}));
}

TEST(LanguageFile, VariantsHaveOtherVariables) {
  const auto parsed = parse(kSmallest + R"t(
variables = { standard = "1" }
variants = [{ id = "x2", name = "X 2", aliases = ["x-2"], variables = { standard = "2" } }]
)t");
  ASSERT_TRUE(parsed) << describe(parsed.error());
  ASSERT_EQ(parsed->size(), 2U);
  const Language& variant = parsed->back();
  EXPECT_EQ(variant.id, "x2");
  EXPECT_EQ(variant.family, "x");
  EXPECT_EQ(variant.aliases, Words{"x-2"});
  EXPECT_EQ(variant.variables.at("standard"), "2");
  EXPECT_EQ(variant.run, parsed->front().run);
}

TEST(LanguageFile, ComplaintsNameFileLineAndColumn) {
  EXPECT_EQ(complaint("colour = 1"), "x.toml:7:1: unknown key 'colour'");
  EXPECT_EQ(complaint("output = 1"), "x.toml:7:10: must be a string");
  EXPECT_TRUE(complaint("output = ").starts_with("x.toml:7:"));
}

struct Mistake {
  const char* text;
  const char* why;
};

TEST(LanguageFile, EveryBadValueHasItsComplaint) {
  const Mistake mistakes[] = {
      {"output = ''", "must not be empty"},
      {"output = '/main'", "'/main' must be a plain relative path"},
      {"output = 'a/../../b'", "'a/../../b' must be a plain relative path"},
      {"output = '-o'", "'-o' must be a plain relative path"},
      {"aliases = 'y'", "must be an array of strings"},
      {"aliases = [1]", "must be a string"},
      {"source_name = 'kotlin'", "'kotlin' is none of fixed, java"},
      {"more_processes = 0", "must be a whole number of 1 or more"},
      {"variables = 1", "must be a table"},
      {"variables = { 'a-b' = 'x' }", "'a-b' is no name of a variable: letters and '_' only"},
      {"variables = { source = 'x' }", "'source' has a meaning of its own"},
      {"compile = 1", "must be an array of tables: [[compile]]"},
      {"compile = [{ argv = 'x' }]", "the last step must name its 'outputs'"},
      {"compile = [{ outputs = ['x'] }]", "needs an 'argv'"},
      {"compile = [{ argv = '', outputs = ['x'] }]", "must have at least one word"},
      {"compile = [{ argv = 1, outputs = ['x'] }]", "must be a command line or an array of words"},
      {"compile = [{ argv = \"x 'y\", outputs = ['x'] }]", "has a ' without its other one"},
      {"compile = [{ argv = 'x', outputs = 'x' }]", "must be an array of file names"},
      {"compile = [{ argv = 'x', outputs = ['../x'] }]", "'../x' must be a plain relative path"},
      {"compile = [{ argv = 'x {sauce}', outputs = ['x'] }]", "'{sauce}' is not known here"},
      {"compile = [{ argv = ['x {flags}'], outputs = ['x'] }]",
       "'{flags}' is several words and must stand alone"},
      {"compile = [{ argv = 'x', outputs = ['{flags}'] }]", "'{flags}' is not known here"},
      {"compile = [{ argv = 'x', outputs = ['x'], limits = { cpu_time = 1 } }]",
       "must be a string"},
      {"compile = [{ argv = 'x', outputs = ['x'], limits = { speed = 1 } }]",
       "unknown key 'speed'"},
      {"compile = [{ argv = 'x', outputs = ['x'], environment = { A = 1 } }]", "must be a string"},
      {"compile = [{ argv = 'x', outputs = ['x'], environment = { A = '{sources}' } }]",
       "'{sources}' is not known here"},
      {"lint = { argv = 'x {flags}' }", "'{flags}' is not known here"},
      {"lint = { argv = 'x {warm}' }", "'{warm}' is not known here"},
      {"profiles = { run = '../x' }", "'../x' is no name of a profile"},
      {"profiles = { walk = 'x' }", "unknown key 'walk'"},
      {"memory = { model = 'cloud' }", "'cloud' is none of native, managed"},
      {"memory = { overhead = 'much' }", "'much'"},
      {"memory = { exhausted = 1 }", "must be an array of tables"},
      {"memory = { exhausted = [{ errors = 'x' }] }", "needs an 'exit_code' or a 'signal'"},
      {"memory = { exhausted = [{ exit_code = 256 }] }", "of at most 255"},
      {"time = { multiplier = 0 }", "must be a number above 0"},
      {"time = { multiplier = -1.5 }", "must be a number above 0"},
      {"time = { multiplier = nan }", "must be a number above 0"},
      {"time = { multiplier = inf }", "must be a number above 0"},
      {"time = { multiplier = 1.0001 }", "at most three decimals"},
      {"time = { multiplier = '2' }", "must be a number above 0"},
      {"time = { wall_extra = '2' }", "'2'"},
      {"flags = { unknown = 'ask' }", "'ask' is none of reject, drop"},
      {"flags = { allow = '-O2' }", "must be an array of strings"},
      {"warmth = { file = 'x' }", "needs a 'step' with one output"},
      {"warmth = { when = '(' }", "is no regular expression"},
      {"crashes = 'x'", "must be an array of regular expressions"},
      {"crashes = ['x', '(']", "is no regular expression"},
      {"variants = 1", "must be an array of tables: [[variants]]"},
      {"variants = [{ id = 'X!', name = 'x' }]", "'X!' is no id of a language"},
      {"variants = [{ id = 'y' }]", "needs an 'id' and a 'name'"},
      {"variants = [{ id = 'y', name = 'Y', variables = { q = '1' } }]",
       "the language has no variable 'q'"},
      {"name = 'again'", "redefine"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string said = complaint(mistake.text);
    EXPECT_TRUE(said.starts_with("x.toml:")) << said;
    EXPECT_NE(said.find(mistake.why), std::string::npos) << mistake.text << "\n" << said;
  }
}

TEST(LanguageFile, WhatIsMissingIsNamed) {
  for (const char* key : {"name", "packages", "source", "detection", "run"}) {
    std::string text;
    std::istringstream lines(kSmallest);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with(key)) text += line + "\n";
    const auto parsed = parse(text);
    ASSERT_FALSE(parsed) << key;
    EXPECT_NE(parsed.error().context.find("needs '" + std::string(key) + "'"), std::string::npos)
        << parsed.error().context;
  }
}

}  // namespace
}  // namespace assay::judge
