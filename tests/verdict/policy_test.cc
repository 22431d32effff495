#include "verdict/policy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace assay::verdict {
namespace {

const std::string kPolicies = ASSAY_SOURCE_DIR "/policies";

// A whole policy to which a test adds what it is about.
std::string with(const std::string& top, const std::string& run = "",
                 const std::string& more = "") {
  std::string text = top + "\n[run]\norder = [\"not_started\", \"cut_off\", \"forbidden\", " +
                     "\"runtime\"]\n" + run + "\n[verdicts]\n";
  for (const Verdict verdict : kVerdicts)
    text += std::string(name_of(verdict)) + " = { letters = \"" +
            std::to_string(index_of(verdict)) + "\" }\n";
  return text + more;
}

std::string complaint(const std::string& text) {
  const auto policy = parse_policy("mine", text);
  return policy ? "none" : describe(policy.error());
}

TEST(Policy, EveryFileInPoliciesParses) {
  const auto names = list_policies(kPolicies);
  ASSERT_TRUE(names) << describe(names.error());
  for (const char* needed : {"assay", "fuzoj", "gojudge", "noj", "rbx", "turingarena"})
    EXPECT_NE(std::ranges::find(*names, needed), names->end()) << needed;
  for (const auto& name : *names) {
    const auto policy = load_policy(kPolicies, name);
    ASSERT_TRUE(policy) << describe(policy.error());
    EXPECT_EQ(policy->name, name);
    EXPECT_FALSE(policy->about.empty()) << name;
  }
}

// It used to end the process: the stream's buffer throws.
TEST(Policy, OneThatCannotBeReadIsAnError) {
  const std::string place = ::testing::TempDir() + "policies" + std::to_string(::getpid());
  std::filesystem::create_directories(place + "/odd.toml");
  const auto policy = load_policy(place, "odd");
  std::filesystem::remove_all(place);
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().fault, Fault::System);
}

TEST(Policy, ThePresetsHoldTheValuesOfTheSheet) {
  const Policy noj = load_policy(kPolicies, "noj").value();
  EXPECT_EQ(noj.run.cpu_clock, CpuClock::User);
  EXPECT_EQ(noj.wall.factor, 1.0);
  EXPECT_EQ(noj.wall.extra, std::chrono::milliseconds(300));
  EXPECT_EQ(noj.limits.processes, 11U);
  EXPECT_EQ(noj.limits.address_space_factor, 2.0);
  EXPECT_EQ(noj.check.invalid_result, Verdict::CompileError);
  EXPECT_EQ(noj.interactive.rule, Interactive::StudentFirst);
  EXPECT_EQ(noj.verdicts[index_of(Verdict::AnalysisError)].code, 8);
  const Policy fuzoj = load_policy(kPolicies, "fuzoj").value();
  EXPECT_EQ(fuzoj.run.comparison, Comparison::GreaterOrEqual);
  EXPECT_EQ(fuzoj.submission.stop, Stop::First);
  EXPECT_EQ(fuzoj.wall.factor, std::nullopt);
  EXPECT_EQ(fuzoj.compile.memory, 1_GiB);
  const Policy rbx = load_policy(kPolicies, "rbx").value();
  EXPECT_EQ(rbx.run.wall_verdict, Verdict::IdleLimit);
  EXPECT_EQ(rbx.helper.cpu_time, std::chrono::seconds(50));
  EXPECT_EQ(rbx.wall.extra_of_language.at("java"), std::chrono::seconds(3));
  EXPECT_EQ(rbx.verdicts[index_of(Verdict::RuntimeError)].letters, "RTE");
  const Policy arena = load_policy(kPolicies, "turingarena").value();
  EXPECT_EQ(arena.limits.address_space, 256_MiB);
  EXPECT_EQ(arena.limits.stack, Stack::Unlimited);
  EXPECT_EQ(arena.held.grace, std::chrono::milliseconds(50));
}

TEST(Policy, NumbersAreNotConfusedWithQuantities) {
  const auto policy =
      parse_policy("mine", with("", "", "[limits]\nstack_factor = 2\noutput = \"8K\""));
  ASSERT_TRUE(policy) << describe(policy.error());
  EXPECT_EQ(policy->limits.stack_factor, 2.0);
  EXPECT_EQ(policy->limits.output, 8_KiB);
  EXPECT_EQ(policy->verdicts[index_of(Verdict::TimeLimit)].name, "time limit");
}

TEST(Policy, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {with("colour = 3"),
       "policy 'mine': line 1, column 1: unknown key 'colour'; known here: about, "},
      {with("about = 3"), "policy 'mine': line 1, column 9: expected a string"},
      {with("about = "), "policy 'mine': line 1, column 9: "},
      {with("run = 1"), "policy 'mine': line "},
      {with("", "cpu_clock = \"sun\""), "line 4, column 13: 'sun' is none of: total, user"},
      {with("", "wall_verdict = \"late\""), "line 4, column 16: there is no verdict 'late'"},
      {with("", "wall_verdict = \"accepted\""), "run.wall_verdict must be"},
      {with("", "errors_count = 1"), "line 4, column 16: expected true or false"},
      {with("", "", "[limits]\nstack_factor = -1"),
       "line 21, column 16: expected a number above 0"},
      {with("", "", "maybe = { letters = \"X\" }"),
       "line 20, column 1: there is no verdict 'maybe'"},
      {with("", "", "[wall]\nextra = 300"), "line 21, column 9: expected a string"},
      {with("", "", "[wall]\nextra = \"300\""), "line 21, column 9: '300' needs a unit"},
      {with("", "", "[limits]\nprocesses = -1"), "line 21, column 13: expected a whole number"},
      {with("", "", "[limits]\nprocesses = \"1\""), "line 21, column 13: expected a whole number"},
      {with("", "", "[submission]\norder = [\"0\", \"0\"]"),
       "line 21, column 15: is in the list twice"},
      {with("", "", "[submission]\norder = [\"AC\"]"), "submission.order names 'AC'"},
      {with("", "", "[ends]\nsignal = { letters = \"S\" }"), "needs both letters and a name"},
      {"[run]\norder = [\"cut_off\"]", "run.order leaves out 'not_started'"},
      {"[run]\norder = [\"not_started\", \"cut_off\", \"forbidden\", \"runtime\"]",
       "[verdicts] gives no letters for 'accepted'"},
      {"", "run.order leaves out"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_NE(complaint(text).find(expected), std::string::npos)
        << complaint(text) << "\ninstead of\n"
        << expected;
}

TEST(Policy, AnUnknownNameIsNotFoundAndListsTheKnownOnes) {
  for (const char* name : {"nosuch", "", "../policies/noj", "noj.toml", "NOJ"}) {
    const auto policy = load_policy(kPolicies, name);
    ASSERT_FALSE(policy) << name;
    EXPECT_EQ(policy.error().fault, Fault::NotFound);
    EXPECT_NE(policy.error().context.find("assay, fuzoj"), std::string::npos);
  }
}

TEST(Policy, AMissingDirectoryIsAnError) {
  EXPECT_FALSE(list_policies("/nonexistent"));
  EXPECT_EQ(load_policy("/nonexistent", "assay").error().fault, Fault::NotFound);
}

TEST(Verdict, EveryNameLeadsBackToItsVerdict) {
  for (const Verdict verdict : kVerdicts)
    EXPECT_EQ(verdict_named(name_of(verdict)), verdict);
  EXPECT_EQ(verdict_named("time limit"), std::nullopt);
}

TEST(Verdict, WaitingIsSlowAndALimitAndACheckersFailureIsOurs) {
  EXPECT_TRUE(is_slow(Verdict::IdleLimit));
  EXPECT_FALSE(is_slow(Verdict::MemoryLimit));
  EXPECT_TRUE(is_limit_exceeded(Verdict::IdleLimit));
  EXPECT_FALSE(is_limit_exceeded(Verdict::RuntimeError));
  EXPECT_TRUE(is_our_fault(Verdict::JudgeFailed));
  EXPECT_FALSE(is_our_fault(Verdict::Skipped));
}

// Found by fuzzing, see Profile.ATableWithoutANameIsAMistakeAndNotTheEndOfUs.
TEST(Policy, ATableWithoutANameIsAMistakeAndNotTheEndOfUs) {
  for (const char* text : {"[~", "[{", "[[~]]", "a = [,"})
    EXPECT_FALSE(parse_policy("mine", text).has_value()) << text;
}

// As for all other files: TomlShape.
TEST(Policy, AKeyOfManyPartsIsAMistakeAndNotTheEndOfUs) {
  std::string key = "a";
  while (key.size() < 40'000)
    key += ".a";
  for (const std::string& text : {key + " = 1", "\n[" + key + "]", "a = {" + key + " = 1}"}) {
    const auto parsed = parse_policy("mine", text);
    ASSERT_FALSE(parsed.has_value());
    EXPECT_TRUE(parsed.error().context.contains(": a key of more than 16 parts"))
        << parsed.error().context;
  }
}

}  // namespace
}  // namespace assay::verdict
