// One table of facts, read under every policy: the preset sheet of Part C, table C-A, and the
// orders of C-2.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <string>
#include <vector>

#include "tests/verdict/story.h"
#include "verdict/judge.h"

namespace assay::verdict {
namespace {

constexpr std::array kPolicies{"assay", "gojudge", "noj", "fuzoj", "rbx"};

struct Row {
  std::string what{};
  Story story{};
  std::array<std::string, kPolicies.size()> letters{};  // as kPolicies
};

std::vector<Row> rows() {
  const Story over_cpu{.cpu = 1001ms, .user = 1001ms};
  const std::vector<sandbox::FileError> lost = {{.name = "o", .why = "lost", .error = ENOENT}};
  return {
      {"all is well", {}, {"AC", "AC", "AC", "AC", "AC"}},
      {"exit code 1", {.end = Exited{1}}, {"RE", "RE", "RE", "RE", "RTE"}},
      {"a segfault", {.end = Signaled{SIGSEGV}}, {"RE", "RE", "RE", "RE", "RTE"}},
      {"a forbidden call", {.end = Forbidden{101}}, {"RE", "RE", "RE", "RE", "RTE"}},
      {"exactly the limit", {.cpu = 1s, .user = 1s}, {"AC", "AC", "AC", "TLE", "AC"}},
      {"over, but not by user time",
       {.cpu = 1001ms, .user = 900ms},
       {"TLE", "TLE", "AC", "TLE", "TLE"}},
      {"over by both", over_cpu, {"TLE", "TLE", "TLE", "TLE", "TLE"}},
      {"waits too long",
       {.end = Signaled{SIGKILL}, .cut = CutOff::Wall, .wall = 3001ms},
       {"TLE", "TLE", "TLE", "TLE", "ILE"}},
      {"is idle", {.cut = CutOff::Idle}, {"ILE", "TLE", "TLE", "TLE", "ILE"}},
      {"too much memory", {.peak = 257_MiB}, {"MLE", "MLE", "MLE", "MLE", "MLE"}},
      {"killed for memory",
       {.end = Signaled{SIGKILL}, .oom_kills = 1},
       {"MLE", "MLE", "MLE", "MLE", "MLE"}},
      {"too much output", {.much_output = true}, {"OLE", "OLE", "OLE", "OLE", "OLE"}},
      {"a file that is too big", {.end = Signaled{SIGXFSZ}}, {"OLE", "OLE", "OLE", "OLE", "OLE"}},
      {"too much output, then exit code 1",
       {.end = Exited{1}, .much_output = true},
       {"OLE", "RE", "OLE", "OLE", "OLE"}},
      {"over time and memory, and nobody acted",
       {.cpu = 1001ms, .user = 1001ms, .peak = 257_MiB},
       {"TLE", "MLE", "TLE", "TLE", "TLE"}},
      {"over memory and output, and nobody acted",
       {.peak = 257_MiB, .much_output = true},
       {"MLE", "MLE", "OLE", "MLE", "OLE"}},
      {"stopped for memory when time was over, too",
       {.end = Signaled{SIGKILL},
        .cut = CutOff::Memory,
        .cpu = 1001ms,
        .user = 1001ms,
        .peak = 257_MiB},
       {"MLE", "MLE", "MLE", "MLE", "MLE"}},
      {"a segfault when time was over, and nobody acted",
       {.end = Signaled{SIGSEGV}, .cpu = 1001ms, .user = 1001ms},
       {"RE", "TLE", "TLE", "RE", "TLE"}},
      {"we could not start it",
       {.end = NotStarted{"limit", "", EPERM}},
       {"SE", "SE", "JE", "SE", "IE"}},
      {"it is no program",
       {.end = NotStarted{"execute", "a", ENOENT}},
       {"RE", "SE", "RE", "RE", "IE"}},
      {"somebody cancelled it",
       {.end = Signaled{SIGKILL}, .cut = CutOff::Cancelled},
       {"SKIPPED", "RE", "SKIPPED", "SKIPPED", "SKIP"}},
      {"a file is missing", {.file_errors = lost}, {"AC", "SE", "AC", "AC", "AC"}},
  };
}

TEST(PresetTable, OneTableOfFactsIsReadUnderEveryPolicy) {
  for (const Row& row : rows())
    for (std::size_t i = 0; i < kPolicies.size(); ++i) {
      const Judgement judgement = judge(facts(row.story), policy(kPolicies[i]));
      EXPECT_EQ(judgement.letters, row.letters[i])
          << kPolicies[i] << ": " << row.what << ": " << judgement.reason;
    }
}

TEST(PresetTable, TimesAreReportedAsEachSystemDoes) {
  struct Times {
    Story story{};
    std::array<std::chrono::milliseconds, kPolicies.size()> reported{};
  };
  const Times times[] = {
      {{.cut = CutOff::Wall, .wall = 3001ms}, {300ms, 300ms, 1300ms, 300ms, 1s}},
      {{.cpu = 1200ms, .user = 1100ms}, {1200ms, 1200ms, 1100ms, 1200ms, 1200ms}},
      {{}, {300ms, 300ms, 200ms, 300ms, 300ms}},
  };
  for (const Times& each : times)
    for (std::size_t i = 0; i < kPolicies.size(); ++i)
      EXPECT_EQ(judge(facts(each.story), policy(kPolicies[i])).reported_time, each.reported[i])
          << kPolicies[i];
}

using Names = std::map<Verdict, std::string>;

void expect_labels(const std::string& name, const Names& names, std::string Label::* word) {
  const Policy rules = policy(name);
  for (const auto& [verdict, expected] : names)
    EXPECT_EQ(rules.verdicts.at(index_of(verdict)).*word, expected) << name;
}

TEST(PresetTable, EveryVerdictHasTheNameOfTheNameMap) {
  expect_labels("fuzoj",
                {{Verdict::Accepted, "AC"},
                 {Verdict::WrongAnswer, "WA"},
                 {Verdict::CompileError, "CE"},
                 {Verdict::TimeLimit, "TLE"},
                 {Verdict::IdleLimit, "TLE"},
                 {Verdict::MemoryLimit, "MLE"},
                 {Verdict::RuntimeError, "RE"},
                 {Verdict::OutputLimit, "OLE"},
                 {Verdict::JudgeFailed, "SE"},
                 {Verdict::SystemError, "SE"}},
                &Label::letters);
  expect_labels("rbx",
                {{Verdict::Accepted, "accepted"},
                 {Verdict::WrongAnswer, "wrong-answer"},
                 {Verdict::CompileError, "compilation-error"},
                 {Verdict::TimeLimit, "time-limit-exceeded"},
                 {Verdict::IdleLimit, "idleness-limit-exceeded"},
                 {Verdict::MemoryLimit, "memory-limit-exceeded"},
                 {Verdict::RuntimeError, "runtime-error"},
                 {Verdict::OutputLimit, "output-limit-exceeded"},
                 {Verdict::JudgeFailed, "judge-failed"},
                 {Verdict::SystemError, "internal-error"},
                 {Verdict::Skipped, "skipped"}},
                &Label::name);
  expect_labels("rbx",
                {{Verdict::RuntimeError, "RTE"},
                 {Verdict::JudgeFailed, "FL"},
                 {Verdict::SystemError, "IE"},
                 {Verdict::IdleLimit, "ILE"},
                 {Verdict::Skipped, "SKIP"}},
                &Label::letters);
  expect_labels("gojudge",
                {{Verdict::Accepted, "Accepted"},
                 {Verdict::TimeLimit, "Time Limit Exceeded"},
                 {Verdict::IdleLimit, "Time Limit Exceeded"},
                 {Verdict::MemoryLimit, "Memory Limit Exceeded"},
                 {Verdict::OutputLimit, "Output Limit Exceeded"},
                 {Verdict::RuntimeError, "Nonzero Exit Status"},
                 {Verdict::SystemError, "Internal Error"}},
                &Label::name);
}

TEST(PresetTable, NormalOjsNumbersAreThoseItsBackEndStores) {
  const std::map<Verdict, int> codes{
      {Verdict::Accepted, 0},     {Verdict::WrongAnswer, 1},  {Verdict::CompileError, 2},
      {Verdict::TimeLimit, 3},    {Verdict::IdleLimit, 3},    {Verdict::MemoryLimit, 4},
      {Verdict::RuntimeError, 5}, {Verdict::JudgeFailed, 6},  {Verdict::SystemError, 6},
      {Verdict::OutputLimit, 7},  {Verdict::AnalysisError, 8}};
  const Policy noj = policy("noj");
  for (const auto& [verdict, code] : codes)
    EXPECT_EQ(noj.verdicts.at(index_of(verdict)).code, code) << name_of(verdict);
}

// The first verdict with these letters.
Verdict verdict_of(const std::string& letters, const Policy& rules) {
  for (const Verdict verdict : kVerdicts)
    if (rules.verdicts.at(index_of(verdict)).letters == letters) return verdict;
  ADD_FAILURE() << rules.name << " has no " << letters;
  return Verdict::SystemError;
}

TEST(PresetTable, TheWorstOfTwoTestsIsTheLaterInEachSystemsList) {
  const std::map<std::string, std::vector<std::string>> lists{
      {"noj", {"AC", "WA", "CE", "TLE", "MLE", "RE", "JE", "OLE", "AE"}},
      {"fuzoj", {"AC", "WA", "RE", "OLE", "MLE", "TLE", "SE"}},
      {"rbx", {"AC", "SKIP", "WA", "MLE", "TLE", "ILE", "RTE", "OLE", "FL", "IE", "CE"}}};
  for (const auto& [name, list] : lists) {
    const Policy rules = policy(name);
    EXPECT_EQ(rules.submission.aggregate, Aggregate::Worst) << name;
    EXPECT_EQ(rules.submission.order, list) << name;
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = i; j < list.size(); ++j) {
        const Verdict better = verdict_of(list[i], rules);
        const Verdict later = verdict_of(list[j], rules);
        const Verdict both[] = {later, better};
        EXPECT_EQ(worst(both, rules), later) << name << ": " << list[i] << ", " << list[j];
      }
  }
  EXPECT_EQ(policy("assay").submission.aggregate, Aggregate::First);
}

TEST(PresetTable, StopRulesAndScoresAreThoseOfTheSheet) {
  EXPECT_EQ(policy("noj").submission.stop, Stop::None);
  EXPECT_EQ(policy("noj").submission.score_sum, 100U);
  EXPECT_EQ(policy("fuzoj").submission.stop, Stop::First);
  EXPECT_EQ(policy("rbx").submission.stop, Stop::None);
  EXPECT_EQ(policy("assay").submission.stop, Stop::None);
}

TEST(PresetTable, OutputsAreCheckedAsInEachSystem) {
  EXPECT_EQ(policy("noj").check.compare, Compare::Lines);
  EXPECT_EQ(policy("noj").check.checker, CheckerAnswer::StatusLines);
  EXPECT_EQ(policy("fuzoj").check.checker, CheckerAnswer::ExitCode);
  EXPECT_EQ(policy("rbx").check.checker, CheckerAnswer::Testlib);
}

TEST(PresetTable, WhatACheckerGetsWrongIsCalledAsEachSystemDoes) {
  const auto letters = [](const char* name) {
    const Policy rules = policy(name);
    return rules.verdicts.at(index_of(rules.check.invalid_result)).letters;
  };
  EXPECT_EQ(letters("assay"), "JE");
  EXPECT_EQ(letters("noj"), "CE");
  EXPECT_EQ(letters("fuzoj"), "SE");
  EXPECT_EQ(letters("rbx"), "FL");
}

}  // namespace
}  // namespace assay::verdict
