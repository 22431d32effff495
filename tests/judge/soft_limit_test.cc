// Soft time limit: B3.1 item 3 of the checklist, R07 and R08.
#include "judge/soft_limit.h"

#include <gtest/gtest.h>

#include "judge/sanitizers.h"

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using verdict::Verdict;

constexpr Factor kDouble{2000};

verdict::Policy policy(const std::string& name) {
  return verdict::load_policy(ASSAY_SOURCE_DIR "/policies", name).value();
}

TestRun run_of(Nanoseconds cpu, Nanoseconds wall) {
  TestRun run;
  run.facts = {.end = sandbox::Exited{0}, .cpu_total = cpu, .cpu_user = cpu, .wall = wall};
  run.facts.limits = {.cpu_time = 2s, .wall_time = 4500ms};
  run.declared = {.cpu_time = 1s, .wall_time = 2500ms};
  return run;
}

TestResult judged(const std::string& name, const TestRun& run, Verdict verdict,
                  Factor soft = kDouble) {
  const verdict::Policy rules = policy(name);
  TestResult result{.verdict = verdict,
                    .letters = rules.verdicts.at(index_of(verdict)).letters,
                    .share = 1,
                    .score = 10};
  apply_declared_limit(run, rules, soft, result);
  return result;
}

TEST(SoftLimit, KeepsWhatARunThatWasOnlyTooSlowWouldHaveGot) {
  const TestResult slow = judged("assay", run_of(1500ms, 1600ms), Verdict::Accepted);
  EXPECT_EQ(slow.verdict, Verdict::TimeLimit);
  EXPECT_EQ(slow.letters, "TLE");
  EXPECT_EQ(slow.verdict_without_limit, Verdict::Accepted);
  EXPECT_EQ(slow.letters_without_limit, "AC");
  EXPECT_EQ(slow.score, 0);
  EXPECT_TRUE(slow.message.ends_with("; would pass at 2x")) << slow.message;
  const TestResult wrong = judged("rbx", run_of(1500ms, 1600ms), Verdict::RuntimeError);
  EXPECT_EQ(wrong.verdict, Verdict::TimeLimit);
  EXPECT_EQ(wrong.letters_without_limit, "RTE");
  EXPECT_TRUE(wrong.message.ends_with("; would be RTE at 2x")) << wrong.message;
}

TEST(SoftLimit, LeavesARunWithinTheDeclaredLimitAlone) {
  const TestResult quick = judged("assay", run_of(999ms, 1s), Verdict::WrongAnswer);
  EXPECT_EQ(quick.verdict, Verdict::WrongAnswer);
  EXPECT_EQ(quick.verdict_without_limit, std::nullopt);
  EXPECT_EQ(quick.score, 10);
}

TEST(SoftLimit, ComparesExactlyTheLimitAsThePolicyDoes) {
  EXPECT_EQ(judged("rbx", run_of(1s, 1s), Verdict::Accepted).verdict, Verdict::TimeLimit);
  EXPECT_EQ(judged("assay", run_of(1s, 1s), Verdict::Accepted).verdict, Verdict::Accepted);
}

TEST(SoftLimit, HoldsForWaitingToo) {
  EXPECT_EQ(judged("rbx", run_of(10ms, 3s), Verdict::Accepted).verdict, Verdict::IdleLimit);
  EXPECT_EQ(judged("noj", run_of(10ms, 3s), Verdict::Accepted).verdict, Verdict::TimeLimit);
}

TEST(SoftLimit, ARunThatFailsAtTheFactorTooSaysSo) {
  TestRun run = run_of(2001ms, 2100ms);
  run.facts.cut_off_by = sandbox::CutOff::Cpu;
  const TestResult result = judged("assay", run, Verdict::TimeLimit);
  EXPECT_EQ(result.verdict, Verdict::TimeLimit);
  EXPECT_EQ(result.verdict_without_limit, std::nullopt);
  EXPECT_NE(result.message.find("limit 1"), std::string::npos) << result.message;
  EXPECT_TRUE(result.message.ends_with("; would fail at 2x, too")) << result.message;
}

TEST(SoftLimit, FailuresOfOursAndSkippedTestsStayWhatTheyAre) {
  for (const Verdict verdict : {Verdict::SystemError, Verdict::JudgeFailed, Verdict::Skipped})
    EXPECT_EQ(judged("assay", run_of(1500ms, 1600ms), verdict).verdict, verdict);
}

TEST(SoftLimit, AllowedOnlyForRepeatsIsNotSpokenOf) {
  const TestResult result = judged("assay", run_of(1050ms, 1s), Verdict::Accepted, {});
  EXPECT_EQ(result.verdict, Verdict::TimeLimit);
  EXPECT_EQ(result.verdict_without_limit, std::nullopt);
  EXPECT_EQ(result.message.find("would"), std::string::npos) << result.message;
}

TEST(SoftLimit, RbxReportsAtLeastTheLimit) {
  EXPECT_EQ(judged("rbx", run_of(10ms, 3s), Verdict::Accepted).time, 1s);
}

TEST(Sanitizers, ReportsAreKnownByTheirWords) {
  const Language native;
  EXPECT_TRUE(has_sanitizer_report(native, "main.c:3:5: runtime error: signed integer overflow"));
  EXPECT_TRUE(has_sanitizer_report(native, "==1==ERROR: AddressSanitizer: heap-buffer-overflow"));
  EXPECT_FALSE(has_sanitizer_report(native, "an error: none"));
  const Language go{.memory = {.model = MemoryModel::Managed}};
  EXPECT_FALSE(has_sanitizer_report(go, "panic: runtime error: index out of range"));
}

TEST(Sanitizers, AreRefusedWhereTheLanguageHasNone) {
  const LanguageSet languages = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  const auto python = with_sanitizers(languages, {.language = "python3"});
  ASSERT_FALSE(python);
  EXPECT_NE(python.error().context.find("has no sanitizers"), std::string::npos);
  const auto cpp = with_sanitizers(languages, {.language = "cpp", .extra_flags = {"-O3"}});
  ASSERT_TRUE(cpp) << describe(cpp.error());
  EXPECT_EQ(cpp->extra_flags, (std::vector<std::string>{"-O3", "-fsanitize=address,undefined",
                                                        "-fno-omit-frame-pointer", "-g"}));
}

}  // namespace
}  // namespace assay::judge
