// Who is right when two programs have talked.
#include "judge/interact_rule.h"

#include <gtest/gtest.h>

#include <csignal>

#include "judge/interact_terms.h"
#include "judge/sanitizers.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Facts;
using sandbox::NotStarted;
using sandbox::Signaled;
using verdict::Verdict;

// What became of a program, in rbx's words.
enum class Was { Ok, Missing, SandboxError, Terminated, Cpu, Wall, Memory, Output, Exit, Signal };

struct Party {
  Was was = Was::Ok;
  int code = 0;
  std::string_view errors{};
};
Party exit_with(int code, std::string_view errors = "") {
  return {Was::Exit, code, errors};
}

constexpr auto kFirstInteractor = FirstToEnd::Interactor;
constexpr auto kFirstSolution = FirstToEnd::Solution;
enum class Checks { None, Right, Wrong };

std::optional<Facts> facts_of(const Party& party) {
  using namespace std::chrono_literals;
  Facts facts{.end = Exited{party.code},
              .limits = {.cpu_time = 1s, .wall_time = 2500ms, .memory = 64_MiB}};
  const auto killed_by = [&](CutOff cut) {
    facts.end = Signaled{SIGKILL};
    facts.cut_off_by = cut;
  };
  switch (party.was) {
    case Was::Missing:
      return std::nullopt;
    case Was::SandboxError:
      facts.end = NotStarted{.step = "mount", .what = "/work", .error = EPERM};
      break;
    case Was::Terminated:
      killed_by(CutOff::Peer);
      break;
    case Was::Cpu:
      killed_by(CutOff::Cpu);
      break;
    case Was::Wall:
      killed_by(CutOff::Wall);
      break;
    case Was::Memory:
      killed_by(CutOff::Memory);
      break;
    case Was::Output:
      killed_by(CutOff::Output);
      break;
    case Was::Signal:
      facts.end = Signaled{party.code};
      break;
    case Was::Ok:
    case Was::Exit:
      break;
  }
  return facts;
}

struct Row {
  int number = 0;
  Party solution{}, interactor{};
  FirstToEnd first = kFirstSolution;
  Checks checks = Checks::None;
  std::string expect{};  // rbx's letters
  bool flagged = false;
};

// Table D2a of the checklist, all 31 rows.
const std::vector<Row> kTable = {
    {1, {Was::Missing}, {}, kFirstSolution, {}, "IE"},
    {2, {}, {Was::Missing}, kFirstSolution, {}, "IE"},
    {3, {Was::SandboxError}, {}, kFirstSolution, {}, "IE"},
    {4, {}, {Was::SandboxError}, kFirstInteractor, {}, "IE"},
    {5, exit_with(1), exit_with(1), kFirstInteractor, {}, "WA"},
    {6, {Was::Terminated}, exit_with(3), kFirstInteractor, {}, "FL"},
    {7, {Was::Terminated}, exit_with(42), kFirstInteractor, {}, "FL"},
    {8, {Was::Terminated}, {Was::Cpu}, kFirstInteractor, {}, "TLE"},
    {9, {Was::Terminated}, {Was::SandboxError}, kFirstInteractor, {}, "IE"},
    {10, {Was::Signal, SIGPIPE}, exit_with(1), kFirstInteractor, {}, "WA"},
    {11, exit_with(2), exit_with(1), kFirstInteractor, {}, "WA"},
    {12,
     exit_with(2),
     exit_with(0, "wrong output format Unexpected end of file"),
     kFirstSolution,
     {},
     "RTE"},
    {13, {Was::Memory}, {}, kFirstSolution, {}, "MLE"},
    {14, {Was::Cpu}, {}, kFirstSolution, {}, "TLE"},
    {15, {}, exit_with(1), kFirstSolution, {}, "WA"},
    {16, {}, exit_with(3), kFirstSolution, {}, "FL"},
    {17, {}, exit_with(42), kFirstSolution, {}, "FL"},
    {18, {}, {Was::Cpu}, kFirstSolution, {}, "TLE"},
    {19, {}, {}, kFirstSolution, Checks::Right, "AC"},
    {20, {}, {}, kFirstSolution, Checks::Wrong, "WA"},
    {21, {}, {}, kFirstSolution, Checks::None, "AC"},
    {22, exit_with(1), {}, kFirstSolution, Checks::None, "RTE"},
    {23, {}, exit_with(1), kFirstSolution, Checks::None, "WA"},
    {24,
     {Was::Ok, 0, "a.cpp:3: runtime error: signed integer overflow"},
     {},
     kFirstSolution,
     Checks::Right,
     "AC",
     true},
    {25,
     exit_with(1, "==7==ERROR: AddressSanitizer"),
     {},
     kFirstSolution,
     Checks::Right,
     "RTE",
     true},
    {26, {Was::Ok, 0, "all is well"}, {}, kFirstSolution, Checks::Right, "AC", false},
    {27, {}, {}, kFirstSolution, Checks::Right, "AC"},
    {28, {}, {}, kFirstSolution, Checks::Wrong, "WA"},
    {29, {}, {Was::Memory}, kFirstSolution, {}, "MLE"},
    {30, {}, {Was::Output}, kFirstSolution, {}, "OLE"},
    {31, {}, {Was::Wall}, kFirstSolution, {}, "ILE"},
};

verdict::Policy policy_named(const std::string& name) {
  return verdict::load_policy(ASSAY_SOURCE_DIR "/policies", name).value();
}

PairEnd pair_of(const std::optional<Facts>& solution, const std::optional<Facts>& interactor,
                const Row& row, const verdict::Policy& policy) {
  PairEnd pair{.solution = solution ? &*solution : nullptr,
               .interactor = interactor ? &*interactor : nullptr,
               .first = row.first};
  if (solution) pair.of_solution = verdict::judge(*solution, policy);
  if (interactor)
    pair.said = interpret_partner("the interactor", Protocol::Testlib,
                                  {.end = interactor->end,
                                   .cut_off_by = interactor->cut_off_by,
                                   .errors = row.interactor.errors});
  return pair;
}

// As the pipeline goes on: an accepted dialogue is for the checker, if there is one.
std::string letters_of(const Row& row, const verdict::Policy& policy) {
  const auto solution = facts_of(row.solution);
  const auto interactor = facts_of(row.interactor);
  Verdict verdict = rule(pair_of(solution, interactor, row, policy), policy).verdict;
  if (verdict == Verdict::Accepted && row.checks == Checks::Wrong) verdict = Verdict::WrongAnswer;
  return policy.verdicts.at(index_of(verdict)).letters;
}

TEST(InteractRule, IsRbxsInAll31Rows) {
  const verdict::Policy rbx = policy_named("rbx");
  ASSERT_EQ(kTable.size(), 31U);
  for (const Row& row : kTable)
    EXPECT_EQ(letters_of(row, rbx), row.expect) << "row " << row.number;
}

TEST(InteractRule, FlagsWhatASanitizerSaid) {
  const auto languages = load_languages(ASSAY_SOURCE_DIR "/languages").value();
  const Language* cpp = languages.find("cpp17").value();
  for (const Row& row : kTable)
    EXPECT_EQ(has_sanitizer_report(*cpp, row.solution.errors), row.flagged) << row.number;
}

// Our own policy differs in one thing: what the interactor breaks is never the solution's fault.
TEST(InteractRule, CallsEveryExcessOfAnInteractorAJudgesFailure) {
  const verdict::Policy assay = policy_named("assay");
  for (const Row& row : kTable) {
    const Was was = row.interactor.was;
    const bool excess =
        was == Was::Cpu || was == Was::Wall || was == Was::Memory || was == Was::Output;
    const std::string expect = excess                ? "JE"
                               : row.expect == "FL"  ? "JE"
                               : row.expect == "IE"  ? "SE"
                               : row.expect == "RTE" ? "RE"
                                                     : row.expect;
    EXPECT_EQ(letters_of(row, assay), expect) << "row " << row.number;
  }
}

struct OwnRow {
  std::string what{};
  Party solution{}, interactor{};
  FirstToEnd first = kFirstSolution;
  std::string expect{};
};

void expect_all(const std::string& name, const std::vector<OwnRow>& rows) {
  const verdict::Policy policy = policy_named(name);
  for (const OwnRow& row : rows)
    EXPECT_EQ(
        letters_of({.solution = row.solution, .interactor = row.interactor, .first = row.first},
                   policy),
        row.expect)
        << name << ": " << row.what;
}

TEST(InteractRule, OfNormalOjPutsTheStudentsErrorBeforeAllElse) {
  expect_all(
      "noj",
      {
          {"both well", {}, {}, kFirstSolution, "AC"},
          {"wrong", {}, exit_with(1), kFirstSolution, "WA"},
          {"wrong, and SIGPIPE", {Was::Signal, SIGPIPE}, exit_with(1), kFirstInteractor, "RE"},
          {"student too slow, teacher broken", {Was::Cpu}, exit_with(3), kFirstInteractor, "TLE"},
          {"student too large", {Was::Memory}, {}, kFirstSolution, "MLE"},
          {"teacher too slow", {}, {Was::Cpu}, kFirstSolution, "TLE"},
          {"teacher crashed", {}, {Was::Signal, SIGSEGV}, kFirstSolution, "RE"},
          {"teacher wrote too much", {}, {Was::Output}, kFirstSolution, "JE"},
          {"no result", {}, exit_with(3), kFirstSolution, "CE"},
      });
}

TEST(InteractRule, NeverBlamesASolutionForItsEndWithTheInteractor) {
  expect_all(
      "assay",
      {
          {"said no", {Was::Terminated}, exit_with(1), kFirstInteractor, "WA"},
          {"malformed", {Was::Terminated}, exit_with(2), kFirstInteractor, "PE"},
          {"crashed", {Was::Terminated}, {Was::Signal, SIGSEGV}, kFirstInteractor, "JE"},
          {"too slow by itself", {Was::Cpu}, exit_with(1), kFirstInteractor, "TLE"},
          {"crashed after a yes", {Was::Signal, SIGSEGV}, {}, kFirstInteractor, "RE"},
          {"crash, then complaint", {Was::Signal, SIGSEGV}, exit_with(2), kFirstSolution, "RE"},
          {"crash, then crash", exit_with(1), {Was::Signal, SIGSEGV}, kFirstSolution, "RE"},
      });
}

TEST(InteractRule, NamesADeadlock) {
  using namespace std::chrono_literals;
  const verdict::Policy assay = policy_named("assay");
  Facts idle{.end = Signaled{SIGKILL}, .cut_off_by = CutOff::Idle};
  PairEnd pair{.solution = &idle,
               .interactor = &idle,
               .of_solution = verdict::judge(idle, assay),
               .first = kFirstInteractor,
               .said = interpret_partner("the interactor", Protocol::Testlib,
                                         {.end = idle.end, .cut_off_by = idle.cut_off_by}),
               .silence = 1234ms};
  Ruling ruling = rule(pair, assay);
  EXPECT_EQ(ruling.verdict, Verdict::IdleLimit);
  EXPECT_EQ(ruling.reason, "both sides wait for input since 1.2 s");
  pair.interactor_has_mail = true;
  ruling = rule(pair, assay);
  EXPECT_EQ(ruling.verdict, Verdict::JudgeFailed) << ruling.reason;
  pair.solution_has_mail = true;
  ruling = rule(pair, assay);
  EXPECT_EQ(ruling.verdict, Verdict::IdleLimit);
  EXPECT_EQ(ruling.reason,
            "the solution has not read what it was told and has done nothing for 1.2 s");
}

TEST(InteractRule, BlamesWhoSleptInsteadOfWaiting) {
  using namespace std::chrono_literals;
  const verdict::Policy assay = policy_named("assay");
  const Facts waits{.end = Signaled{SIGKILL}, .cut_off_by = CutOff::Idle};
  Facts sleeps = waits;
  sleeps.slept = true;
  PairEnd pair{.solution = &waits,
               .interactor = &sleeps,
               .of_solution = verdict::judge(waits, assay),
               .first = kFirstInteractor,
               .said = interpret_partner("the interactor", Protocol::Testlib,
                                         {.end = waits.end, .cut_off_by = waits.cut_off_by}),
               .silence = 1234ms};
  Ruling ruling = rule(pair, assay);
  EXPECT_EQ(ruling.verdict, Verdict::JudgeFailed);
  EXPECT_EQ(ruling.reason, "the interactor sleeps, and nobody has said anything for 1.2 s");
  EXPECT_EQ(rule(pair, policy_named("rbx")).verdict, Verdict::IdleLimit);
  pair.solution = &sleeps;
  ruling = rule(pair, assay);
  EXPECT_EQ(ruling.verdict, Verdict::IdleLimit);
  EXPECT_EQ(ruling.reason, "the solution sleeps, and nobody has said anything for 1.2 s");
}

TEST(InteractRule, BlamesTheInteractorForTheTimeThatItTook) {
  using namespace std::chrono_literals;
  const verdict::Policy assay = policy_named("assay");
  Facts solution = *facts_of({Was::Wall});
  solution.wall = 2500ms;
  solution.cpu_total = 3ms;
  Facts interactor = *facts_of({});
  interactor.cpu_total = 2400ms;
  PairEnd pair{.solution = &solution,
               .interactor = &interactor,
               .of_solution = verdict::judge(solution, assay),
               .said = {.verdict = Verdict::WrongAnswer}};
  EXPECT_EQ(rule(pair, assay).verdict, Verdict::JudgeFailed);
  EXPECT_EQ(rule(pair, policy_named("rbx")).verdict, Verdict::TimeLimit);
  interactor.cpu_total = 100ms;
  EXPECT_EQ(rule(pair, assay).verdict, Verdict::TimeLimit);
}

// Or a contestant could turn any interactor that computes into a judge's failure.
TEST(InteractRule, BlamesASolutionThatNapsForItsOwnTimeWhateverTheInteractorComputed) {
  using namespace std::chrono_literals;
  const verdict::Policy assay = policy_named("assay");
  Facts solution = *facts_of({Was::Wall});
  solution.limits.cpu_time = 2s;
  solution.limits.wall_time = 4500ms;
  solution.wall = 4500ms;
  solution.cpu_total = 3ms;
  Facts interactor = *facts_of({});
  const PairEnd pair{.solution = &solution,
                     .interactor = &interactor,
                     .of_solution = verdict::judge(solution, assay),
                     .said = {.verdict = Verdict::WrongAnswer}};
  for (const auto& [computed, expect] : {std::pair{1600ms, Verdict::TimeLimit},
                                         {2400ms, Verdict::TimeLimit},
                                         {2600ms, Verdict::JudgeFailed},
                                         {4400ms, Verdict::JudgeFailed}}) {
    interactor.cpu_total = computed;
    EXPECT_EQ(rule(pair, assay).verdict, expect) << computed.count();
  }
  solution.limits.wall_time = 2s;  // and as much of cpu time
  solution.wall = 2s;
  interactor.cpu_total = 900ms;
  EXPECT_EQ(rule(pair, assay).verdict, Verdict::TimeLimit);
  solution.wall = 3s;  // a busy machine, on which the interactor got no more
  solution.starved = 1500ms;
  EXPECT_EQ(rule(pair, assay).verdict, Verdict::JudgeFailed);
}

TEST(InteractRule, LetsTheEvaluatorDecideWhereThePolicySaysSo) {
  const verdict::Policy policy = policy_named("turingarena");
  const Facts crashed{.end = Signaled{SIGSEGV}};
  const Facts fine{.end = Exited{0}};
  EXPECT_EQ(rule({.solution = &crashed,
                  .interactor = &fine,
                  .of_solution = verdict::judge(crashed, policy),
                  .said = {.verdict = Verdict::Accepted}},
                 policy)
                .verdict,
            Verdict::Accepted);
}

TEST(Interactors, OfTestlibGivePointsOnlyInWords) {
  const auto said = [](int code, std::string_view errors) {
    return interpret_partner("the interactor", Protocol::Testlib,
                             {.end = Exited{code}, .errors = errors});
  };
  EXPECT_EQ(said(66, "").verdict, Verdict::JudgeFailed);
  EXPECT_EQ(said(66, "partially correct (50) half").verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(said(7, "points 3 some").verdict, Verdict::PartiallyCorrect);
  EXPECT_EQ(said(3, "FAIL").verdict, Verdict::JudgeFailed);
}

TEST(Interactors, AreNamedInTheirOwnFailures) {
  const CheckResult died =
      interpret_partner("the interactor", Protocol::Testlib, {.end = Signaled{SIGSEGV}});
  EXPECT_EQ(died.message, "the interactor died of signal 11 (SIGSEGV)");
}

TEST(Interactors, CannotAskForAnotherPass) {
  const CheckResult result = interpret_partner(
      "the interactor", Protocol::Icpc, {.end = Exited{42}, .feedback = {.next_pass = true}});
  EXPECT_EQ(result.verdict, Verdict::JudgeFailed);
}

}  // namespace
}  // namespace assay::judge
