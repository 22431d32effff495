// Every language that is installed, as its file says, in real boxes.
#include "judge/crash_signs.h"
#include "tests/languages/fixture.h"

namespace assay::test {
namespace {

TEST_P(LanguageTest, SaysHello) {
  const Built built = build("hello");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "");
  EXPECT_EQ(outcome.output, "Hello, World!\n") << outcome;
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_P(LanguageTest, EchoesItsInput) {
  const Built built = build("echo");
  ASSERT_TRUE(built.good) << built.last;
  const std::string text = "one two\n\nthree 3.14\n";
  const Outcome outcome = run_built(built, text);
  EXPECT_EQ(outcome.output, text) << outcome;
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_P(LanguageTest, EndsWithARuntimeErrorWhenItFails) {
  const Built built = build("crash");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "");
  EXPECT_EQ(outcome.letters, "RE") << outcome;
  EXPECT_FALSE(std::holds_alternative<sandbox::Forbidden>(outcome.facts.end)) << outcome;
  EXPECT_FALSE(judge::ran_out_of_memory(language(), outcome.facts, outcome.errors)) << outcome;
}

// A checker that ends so must not be taken for one that says no.
TEST_P(LanguageTest, AFailureWithACodeOfTestlibsIsKnownByItsReport) {
  const Built built = build("crash");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "");
  const auto* exited = std::get_if<sandbox::Exited>(&outcome.facts.end);
  const judge::CheckerRun run{.end = outcome.facts.end, .errors = outcome.errors};
  const judge::CheckResult read = judge::unless_crashed(
      judge::interpret(judge::Protocol::Testlib, run), language(), judge::Protocol::Testlib, run);
  EXPECT_EQ(read.verdict, verdict::Verdict::JudgeFailed)
      << (exited != nullptr ? exited->code : -1) << ": " << outcome;
}

TEST_P(LanguageTest, RefusesABrokenProgramBeforeItIsRun) {
  const Built built = build("broken");
  EXPECT_FALSE(built.good);
  EXPECT_EQ(built.last.letters, "RE") << built.last;  // the compiler's, which is a compile error
  EXPECT_NE(built.last.output + built.last.errors, "");
}

TEST_P(LanguageTest, MeetsItsMemoryLimit) {
  NEEDS_METERS();
  const Built built = build("hog");
  ASSERT_TRUE(built.good) << built.last;
  const Outcome outcome = run_built(built, "", 64_MiB);
  EXPECT_TRUE(outcome.letters == "MLE" ||
              judge::ran_out_of_memory(language(), outcome.facts, outcome.errors))
      << outcome;
}

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const judge::Language& language : shipped_languages().all())
    all.push_back(language.id);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, LanguageTest, ::testing::ValuesIn(ids()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace assay::test
