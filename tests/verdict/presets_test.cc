// The policies in policies/, against the rules of the systems that they reproduce.
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "tests/verdict/story.h"
#include "verdict/judge.h"

namespace assay::verdict {
namespace {

void expect_names(const std::string& name,
                  const std::vector<std::pair<Story, std::string>>& cases) {
  const Policy rules = policy(name);
  for (const auto& [story, expected] : cases) {
    const Judgement judgement = judge(facts(story), rules);
    EXPECT_EQ(judgement.name, expected) << name << ": " << judgement.reason;
  }
}

TEST(Presets, GojudgeFollowsGoJudgesAlgorithm) {
  const std::vector<sandbox::FileError> lost = {{.name = "o", .why = "lost", .error = ENOENT}};
  expect_names("gojudge", {{{}, "Accepted"},
                           {{.end = Exited{1}}, "Nonzero Exit Status"},
                           {{.end = Signaled{SIGSEGV}}, "Signalled"},
                           {{.end = Signaled{SIGKILL}}, "Signalled"},
                           {{.end = Signaled{SIGSYS}}, "Dangerous Syscall"},
                           {{.end = Forbidden{101}}, "Dangerous Syscall"},
                           {{.end = Signaled{SIGXFSZ}}, "Output Limit Exceeded"},
                           {{.end = Signaled{SIGKILL}, .cut = CutOff::Wall}, "Time Limit Exceeded"},
                           {{.end = Signaled{SIGKILL}, .cut = CutOff::Cpu, .peak = 257_MiB},
                            "Memory Limit Exceeded"},
                           {{.end = Signaled{SIGKILL}, .cut = CutOff::Cancelled}, "Signalled"},
                           {{.cpu = 1001ms}, "Time Limit Exceeded"},
                           {{.cpu = 1001ms, .oom_kills = 1}, "Memory Limit Exceeded"},
                           {{.much_output = true}, "Output Limit Exceeded"},
                           {{.end = Exited{1}, .much_output = true}, "Nonzero Exit Status"},
                           {{.end = Exited{1}, .file_errors = lost}, "Nonzero Exit Status"},
                           {{.file_errors = lost}, "File Error"},
                           {{.end = NotStarted{"execute", "a", ENOENT}}, "Internal Error"},
                           {{.end = NotStarted{"limit", "a", EPERM}}, "Internal Error"}});
}

TEST(Presets, OneSetOfFactsIsCalledDifferentlyUnderTwoPolicies) {
  struct Pair {
    Story story;
    const char *one, *letters, *other, *other_letters;
  };
  const Pair pairs[] = {
      {{.cpu = 1s}, "assay", "AC", "fuzoj", "TLE"},
      {{.cpu = 1001ms, .user = 900ms}, "rbx", "TLE", "noj", "AC"},
      {{.cut = CutOff::Wall, .wall = 3001ms}, "rbx", "ILE", "noj", "TLE"},
      {{.cut = CutOff::Idle}, "assay", "ILE", "fuzoj", "TLE"},
      {{.peak = 257_MiB, .much_output = true}, "noj", "OLE", "fuzoj", "MLE"},
      {{.end = Exited{1}}, "rbx", "RTE", "assay", "RE"},
      {{.end = NotStarted{"limit", "", EPERM}}, "noj", "JE", "rbx", "IE"},
      {{.cpu = 1001ms, .peak = 257_MiB}, "assay", "TLE", "gojudge", "MLE"},
  };
  for (const auto& pair : pairs) {
    EXPECT_EQ(judge(facts(pair.story), policy(pair.one)).letters, pair.letters) << pair.one;
    EXPECT_EQ(judge(facts(pair.story), policy(pair.other)).letters, pair.other_letters)
        << pair.other;
  }
}

TEST(Presets, ReportTimeAsEachSystemClampsIt) {
  const Story waited{.cut = CutOff::Wall, .wall = 3001ms};
  EXPECT_EQ(judge(facts(waited), policy("assay")).reported_time, 300ms);
  EXPECT_EQ(judge(facts(waited), policy("rbx")).reported_time, 1s);
  EXPECT_EQ(judge(facts(waited), policy("noj")).reported_time, 1300ms);
  const Story slow{.cpu = 1200ms, .user = 1100ms};
  EXPECT_EQ(judge(facts(slow), policy("rbx")).reported_time, 1200ms);
  EXPECT_EQ(judge(facts(slow), policy("noj")).reported_time, 1100ms);
  EXPECT_EQ(judge(facts({}), policy("rbx")).reported_time, 300ms);
}

TEST(Presets, EveryFailureIsSomethingElseThanAcceptedUnderEveryPolicy) {
  const Story failures[] = {{.end = Exited{1}},
                            {.end = Signaled{SIGABRT}},
                            {.end = Forbidden{59}},
                            {.end = NotStarted{"bind", "/usr", ENOENT}},
                            {.end = NotStarted{"execute", "a", ENOENT}},
                            {.end = Signaled{SIGKILL}, .cut = CutOff::Cancelled},
                            {.end = Signaled{SIGKILL}, .cut = CutOff::Peer},
                            {.end = Signaled{SIGXFSZ}},
                            {.cut = CutOff::Idle}};
  for (const char* name : {"assay", "noj", "fuzoj", "rbx", "gojudge", "turingarena"}) {
    for (const auto& story : failures)
      EXPECT_NE(judge(facts(story), policy(name)).verdict, Verdict::Accepted) << name;
  }
}

TEST(Worst, FollowsTheOrderOfThePolicy) {
  const Verdict both[] = {Verdict::Accepted, Verdict::TimeLimit, Verdict::RuntimeError};
  EXPECT_EQ(worst(both, policy("assay")), Verdict::TimeLimit);
  EXPECT_EQ(worst(both, policy("fuzoj")), Verdict::TimeLimit);
  EXPECT_EQ(worst(both, policy("noj")), Verdict::RuntimeError);
  EXPECT_EQ(worst(both, policy("rbx")), Verdict::RuntimeError);
  const Verdict mixed[] = {Verdict::OutputLimit, Verdict::JudgeFailed};
  EXPECT_EQ(worst(mixed, policy("noj")), Verdict::OutputLimit);
  EXPECT_EQ(worst(mixed, policy("rbx")), Verdict::JudgeFailed);
}

TEST(Worst, ASkippedTestSaysNothingWhereThePolicyHasNoPlaceForIt) {
  const Verdict verdicts[] = {Verdict::Skipped, Verdict::Accepted};
  EXPECT_EQ(worst(verdicts, policy("fuzoj")), Verdict::Accepted);
  EXPECT_EQ(worst(verdicts, policy("rbx")), Verdict::Skipped);
}

TEST(Worst, AVerdictWithoutAPlaceIsWorseThanAllThatHaveOne) {
  const Verdict verdicts[] = {Verdict::CompileError, Verdict::SystemError};
  EXPECT_EQ(worst(verdicts, policy("fuzoj")), Verdict::CompileError);
}

TEST(Worst, OfNothingIsSkipped) {
  EXPECT_EQ(worst({}, policy("assay")), Verdict::Skipped);
}

}  // namespace
}  // namespace assay::verdict
