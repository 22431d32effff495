// Command lines made from a language.
#include "judge/language_steps.h"

#include <gtest/gtest.h>

#include "judge/language_file.h"

namespace assay::judge {
namespace {

using Words = std::vector<std::string>;

Language parsed(const std::string& text) {
  auto languages = parse_language("x", "x.toml", text);
  EXPECT_TRUE(languages) << describe(languages.error());
  return languages ? languages->front() : Language{};
}

const Language& compiled() {
  static const Language language = parsed(R"t(
name = "X"
packages = ["x"]
source = "main.x"
extensions = ["x"]
output = "main"
variables = { standard = "x17" }
detection = { argv = "x -v", version = 'X ([0-9.]+)' }
compile = [
  { argv = "cc1 -std={standard} {warm} {flags} {sources} -Xmx{memory_mb}", outputs = ["{output}.o"], limits = { memory = "2GiB" } },
  { argv = "ld -o {output} {output}.o", outputs = ["{output}"], environment = { OUT = "{output}" } },
]
run = { argv = "./{output} -Xmx{memory_mb}m -Xms{initial_memory_mb}m -Xss{stack_mb}m {stack_kb}" }
profiles = { run = "native", checker = "careful" }
memory = { overhead = "50MiB", most_stack = "16MiB" }
[warmth]
file = "h.h"
content = "#include <all>"
place = "warm/h.gch"
when = '(^|\n)#include <all>'
use = ["-Iwarm", "-std={standard}"]
step = { argv = "cc1 -std={standard} {flags} -o h.gch {source}", outputs = ["h.gch"] }
)t");
  return language;
}

const NamedSources kSources{
    .names = {"a.x", "main.x", "h.h"}, .compiled = {"main.x", "a.x"}, .main = "main.x"};

TEST(Steps, OfACompilationComeInOrderWithTheirFiles) {
  const auto steps = compile_steps(compiled(), {.sources = kSources, .flags = {"-O2", "-D X"}});
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].profile, "compile");
  EXPECT_EQ(steps[0].argv, (Words{"cc1", "-std=x17", "-O2", "-D X", "main.x", "a.x", "-Xmx2048"}));
  EXPECT_EQ(steps[0].outputs, Words{"main.o"});
  EXPECT_EQ(steps[0].limits.memory, 2_GiB);
  EXPECT_EQ(steps[1].argv, (Words{"ld", "-o", "main", "main.o"}));
  EXPECT_EQ(steps[1].environment, Words{"OUT=main"});
  EXPECT_EQ(files_to_run(compiled(), kSources), Words{"main"});
}

TEST(Steps, UseWhatWasMadeAhead) {
  const auto steps = compile_steps(compiled(), {.sources = kSources, .warm = true});
  EXPECT_EQ(steps[0].argv,
            (Words{"cc1", "-std=x17", "-Iwarm", "-std=x17", "main.x", "a.x", "-Xmx2048"}));
  const Words flags{"-O2"};
  const auto ahead = warm_up(compiled(), flags);
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->argv, (Words{"cc1", "-std=x17", "-O2", "-o", "h.gch", "h.h"}));
  EXPECT_EQ(ahead->outputs, Words{"h.gch"});
  EXPECT_TRUE(profits_from_warmth(compiled(), "// x\n#include <all>\n"));
  EXPECT_FALSE(profits_from_warmth(compiled(), "// #include <all>\n"));
  EXPECT_FALSE(profits_from_warmth({}, "#include <all>"));
  EXPECT_FALSE(warm_up({}, flags));
}

TEST(Steps, OfARunKnowItsLimits) {
  const RunLimits limits =
      limits_for(compiled(), {.problem = {.memory = 256_MiB, .output = 1_MiB}});
  const Invocation run = run_step(compiled(), kSources, limits);
  EXPECT_EQ(run.profile, "native");
  EXPECT_EQ(run.argv, (Words{"./main", "-Xmx256m", "-Xms230m", "-Xss16m", "16384"}));
  EXPECT_EQ(run.limits.memory, 306_MiB);
  EXPECT_EQ(run.limits.output, 1_MiB);
}

TEST(Steps, OfARunWithoutAMemoryLimitSayTwoGibibytes) {
  EXPECT_EQ(run_step(compiled(), kSources, {}).argv,
            (Words{"./main", "-Xmx2048m", "-Xms512m", "-Xss16m", "16384"}));
}

TEST(Steps, OfACheckerHaveItsProfileAndArguments) {
  const Words arguments{"input.txt", "out put.txt", "{answer}"};
  const Invocation run =
      run_step(compiled(), kSources, {.memory = 64_MiB}, Task::Checker, arguments);
  EXPECT_EQ(run.profile, "careful");
  EXPECT_EQ(Words(run.argv.end() - 3, run.argv.end()), arguments);
}

TEST(Steps, OfAScriptRunItsSources) {
  const Language script = parsed(R"t(
name = "S"
packages = ["s"]
source = "main.s"
detection = { argv = "s -v", version = 'S' }
lint = { argv = "s -c {sources}" }
run = { argv = "s {source}", environment = { LIMIT = "{memory_mb}" } }
)t");
  EXPECT_TRUE(compile_steps(script, {.sources = kSources}).empty());
  EXPECT_EQ(files_to_run(script, kSources), kSources.names);
  EXPECT_EQ(lint_step(script, kSources)->argv, (Words{"s", "-c", "main.x", "a.x"}));
  const Invocation run = run_step(script, kSources, {.memory = 64_MiB});
  EXPECT_EQ(run.argv, (Words{"s", "main.x"}));
  EXPECT_EQ(run.environment, Words{"LIMIT=64"});
  EXPECT_FALSE(lint_step(compiled(), kSources));
}

TEST(Steps, OfTheDetectionFindTheVersion) {
  EXPECT_EQ(detection_step(compiled()).argv, (Words{"x", "-v"}));
  EXPECT_EQ(version_in(compiled(), "Welcome to X 1.2.3 (x86)"), "1.2.3");
  EXPECT_EQ(version_in(compiled(), "x: command not found"), std::nullopt);
  EXPECT_EQ(version_in(compiled(), std::string(1 << 20, 'y')), std::nullopt);
}

}  // namespace
}  // namespace assay::judge
