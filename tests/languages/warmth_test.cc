// What is made ahead for a compiler is really used by it, and pays.
#include "tests/languages/fixture.h"

namespace assay::test {
namespace {

const char* const kProgram = R"c(#include <bits/stdc++.h>
int main() {
  std::vector<int> numbers{3, 1, 2};
  std::sort(numbers.begin(), numbers.end());
  for (int n : numbers) std::cout << n << '\n';
}
)c";

class WarmthTest : public LanguageTest {
 protected:
  // Compiles with -H, by which g++ names the headers that it reads.
  Outcome compile(bool warm, const std::vector<Put>& more = {}) {
    const judge::SourceText text{.content = kProgram};
    const auto sources = judge::name_sources(language(), std::span(&text, 1)).value();
    std::vector<Put> files{{sources.main, kProgram}};
    files.insert(files.end(), more.begin(), more.end());
    const auto steps = judge::compile_steps(
        language(), {.sources = sources, .flags = {"-O1", "-H"}, .warm = warm});
    return run_step(steps.front(), files);
  }
};

TEST_P(WarmthTest, HeaderMadeAheadIsTakenInsteadOfReadingItAgain) {
  ASSERT_TRUE(judge::profits_from_warmth(language(), kProgram));
  const std::vector<std::string> flags{"-O1"};
  const judge::Warmth& warmth = *language().warmth;
  const Outcome made =
      run_step(*judge::warm_up(language(), flags), {{warmth.file, warmth.content}});
  ASSERT_EQ(made.letters, "AC") << made;
  const std::string& header = made.files.at(warmth.step.outputs.front());
  ASSERT_FALSE(header.empty());

  const Outcome cold = compile(false);
  const Outcome warm = compile(true, {{warmth.place, header}});
  ASSERT_EQ(cold.letters, "AC") << cold;
  ASSERT_EQ(warm.letters, "AC") << warm;
  EXPECT_NE(warm.errors.find("! " + warmth.place), std::string::npos) << warm;
  EXPECT_EQ(warm.errors.find("bits/stdc++.h\n"), std::string::npos) << warm;
  EXPECT_LT(warm.facts.cpu_total, cold.facts.cpu_total) << warm << cold;
  RecordProperty("header_bytes", std::to_string(header.size()));
}

INSTANTIATE_TEST_SUITE_P(Each, WarmthTest, ::testing::Values("cpp", "cpp11", "cpp20"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay::test
