// Who is to blame when several processes have talked with a manager.
#include "judge/communicate_rule.h"

#include <gtest/gtest.h>

#include <csignal>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Facts;
using sandbox::Signaled;
using verdict::Verdict;

struct Process {
  int signal = 0;
  CutOff cut = CutOff::None;
  bool knew = false;   // the manager, while it ran
  bool after = false;  // the manager knew of another failure before
  Nanoseconds cpu = 100ms;
  bool has_mail = false;
};
constexpr Process kFine{.knew = true};
constexpr Process kCrash{.signal = SIGSEGV, .knew = true};
constexpr Process kLateCrash{.signal = SIGSEGV};
constexpr Process kEndedWithTheOthers{.signal = SIGKILL, .cut = CutOff::Peer};
constexpr Process kSpins{.signal = SIGKILL, .cut = CutOff::Cpu, .knew = true, .cpu = 1001ms};
constexpr Process kWaits{.signal = SIGKILL, .cut = CutOff::Idle};
constexpr Process kDeaf{.signal = SIGKILL, .cut = CutOff::Idle, .has_mail = true};

Process after(Process process) {
  process.after = true;
  return process;
}

struct Manager {
  Verdict said = Verdict::Accepted;
  CutOff cut = CutOff::None;
  bool has_mail = false;
  Nanoseconds cpu = 1ms;
};

struct Row {
  std::string name{};
  std::vector<Process> processes{};
  Manager manager{};
  Verdict expect = Verdict::Accepted;
  std::string says{};  // the message begins so
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

constexpr Manager kNo{.said = Verdict::WrongAnswer};
constexpr Manager kHalf{.said = Verdict::PartiallyCorrect};
constexpr Manager kBroken{.said = Verdict::JudgeFailed};
constexpr Manager kWaiting{.said = Verdict::JudgeFailed, .cut = CutOff::Idle};

const std::vector<Row> kRows = {
    {"AllWell", {kFine, kFine}, {}, Verdict::Accepted, "word"},
    {"AllWellAndWrong", {kFine, kFine}, kNo, Verdict::WrongAnswer, "word"},
    {"AllWellAndHalf", {kFine, kFine}, kHalf, Verdict::PartiallyCorrect, "word"},
    {"ManagerBreaks", {kFine, kFine}, kBroken, Verdict::JudgeFailed, "word"},
    {"ManagerBreaksAndTheOthersAreEnded",
     {kEndedWithTheOthers, kEndedWithTheOthers},
     kBroken,
     Verdict::JudgeFailed,
     "word"},
    {"ManagerBreaksBecauseOneCrashed",
     {kFine, kCrash},
     kBroken,
     Verdict::RuntimeError,
     "process 1: "},
    {"OneCrashes", {kFine, kCrash}, kNo, Verdict::RuntimeError, "process 1: "},
    {"OneCrashesAfterAYes", {kFine, kLateCrash}, {}, Verdict::RuntimeError, "process 1: "},
    {"OneCrashesAfterANo", {kFine, kLateCrash}, kNo, Verdict::WrongAnswer, "word"},
    {"OneCrashesAfterAHalf", {kFine, kLateCrash}, kHalf, Verdict::PartiallyCorrect, "word"},
    {"BothCrash", {kCrash, kCrash}, kNo, Verdict::RuntimeError, "process 0: "},
    {"TheFirstCrashIsTheCause", {after(kCrash), kCrash}, kNo, Verdict::RuntimeError, "process 1: "},
    {"OneSpins", {kFine, kSpins}, kNo, Verdict::TimeLimit, "process 1: "},
    {"OneSpinsBecauseAnotherCrashed",
     {after(kSpins), kCrash},
     kNo,
     Verdict::RuntimeError,
     "process 1: "},
    {"OneSpinsAfterANo",
     {kFine, {.signal = SIGKILL, .cut = CutOff::Cpu, .cpu = 1001ms}},
     kNo,
     Verdict::WrongAnswer,
     "word"},
    {"BothSpin", {kSpins, kSpins}, kNo, Verdict::TimeLimit, "process 0: "},
    {"TogetherTooSlow",
     {{.knew = true, .cpu = 600ms}, {.knew = true, .cpu = 600ms}},
     {},
     Verdict::TimeLimit,
     "all processes together: "},
    {"TogetherTooSlowForHalf",
     {{.knew = true, .cpu = 600ms}, {.knew = true, .cpu = 600ms}},
     kHalf,
     Verdict::TimeLimit,
     "all processes together: "},
    {"TogetherTooSlowForHalfAndALateCrash",
     {{.cpu = 600ms}, {.signal = SIGABRT, .cpu = 600ms}},
     kHalf,
     Verdict::TimeLimit,
     "all processes together: "},
    // As where one solution talks with an interactor: a limit that was passed is passed.
    {"OneSpinsAfterAHalf",
     {kFine, {.signal = SIGKILL, .cut = CutOff::Cpu, .cpu = 1001ms}},
     kHalf,
     Verdict::TimeLimit,
     "all processes together: "},
    {"TogetherTooSlowForANoAndALateCrash",
     {{.cpu = 600ms}, {.signal = SIGABRT, .cpu = 600ms}},
     kNo,
     Verdict::WrongAnswer,
     "word"},
    {"AllWait",
     {kWaits, kWaits},
     kWaiting,
     Verdict::IdleLimit,
     "process 0, process 1 and the manager wait for input since 1.5 s"},
    {"OneWaitsWithTheManager",
     {kFine, kWaits},
     kWaiting,
     Verdict::IdleLimit,
     "process 1 and the manager wait for input since"},
    {"TheManagerSleepsOverItsMail",
     {kWaits, kWaits},
     {.said = Verdict::JudgeFailed, .cut = CutOff::Idle, .has_mail = true},
     Verdict::JudgeFailed,
     "the manager has not read what it was told"},
    {"TheManagerCannotGoOnWriting",
     {kWaits, kDeaf},
     {.said = Verdict::JudgeFailed, .cut = CutOff::Idle, .has_mail = true},
     Verdict::IdleLimit,
     "process 1 has not read what it was told"},
    {"OneThatLeftWithItsMailUnreadIsNotToBlame",
     {{.knew = true, .has_mail = true}, kWaits},
     {.said = Verdict::JudgeFailed, .cut = CutOff::Idle, .has_mail = true},
     Verdict::JudgeFailed,
     "the manager has not read what it was told"},
    {"OneCrashesAndTheOthersWait",
     {after(kWaits), kCrash},
     kWaiting,
     Verdict::RuntimeError,
     "process 1: "},
    {"OneCrashesAndTheManagerWaitsBeforeItIsTold",
     {kWaits, kLateCrash},
     kWaiting,
     Verdict::RuntimeError,
     "process 1: "},
    {"TheManagerTakesTheirTime",
     {{.signal = SIGKILL, .cut = CutOff::Wall}, kFine},
     {.said = Verdict::JudgeFailed, .cut = CutOff::Peer, .cpu = 2s},
     Verdict::JudgeFailed,
     ""},
    {"OneAlone", {kCrash}, kNo, Verdict::RuntimeError, "signal"},
    {"OneAloneWaits", {kWaits}, kWaiting, Verdict::IdleLimit, "both sides wait"},
};

Facts facts_of(int signal, CutOff cut, Nanoseconds cpu) {
  Facts facts{.end = Exited{0},
              .cut_off_by = cut,
              .cpu_total = cpu,
              .wall = 2s,
              .limits = {.cpu_time = 1s, .wall_time = 2500ms, .memory = 64_MiB}};
  if (signal != 0) facts.end = Signaled{signal};
  return facts;
}

class CommunicateRule : public ::testing::TestWithParam<Row> {
 protected:
  static const verdict::Policy& policy() {
    static const verdict::Policy loaded =
        verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "assay").value();
    return loaded;
  }
  static Ruling ruling_of(const std::vector<Process>& processes, const Manager& manager) {
    CommunicationEnd end{.said = {.verdict = manager.said, .message = "word"},
                         .silence = 1500ms,
                         .manager_has_mail = manager.has_mail};
    for (const Process& process : processes) {
      const Facts facts = facts_of(process.signal, process.cut, process.cpu);
      end.processes.push_back({.facts = facts,
                               .judgement = verdict::judge(facts, policy()),
                               .manager_knew = process.knew,
                               .after_failure = process.after,
                               .has_mail = process.has_mail});
    }
    const bool killed = manager.cut != CutOff::None;
    const Facts facts = facts_of(killed ? SIGKILL : 0, manager.cut, manager.cpu);
    end.manager = &facts;
    return rule(end, policy());
  }
};

TEST_P(CommunicateRule, IsFollowed) {
  const Row& row = GetParam();
  const Ruling ruling = ruling_of(row.processes, row.manager);
  EXPECT_EQ(ruling.verdict, row.expect) << ruling.reason;
  EXPECT_NE(ruling.reason.find(row.says), std::string::npos) << ruling.reason;
  EXPECT_EQ(ruling.is_interactors, ruling.reason == "word" && row.expect != Verdict::JudgeFailed);
}

INSTANTIATE_TEST_SUITE_P(Each, CommunicateRule, ::testing::ValuesIn(kRows),
                         [](const auto& each) { return each.param.name; });

TEST(Together, TimesAreAddedAndTheLargestMemoryCounts) {
  std::vector<ProcessEnd> both(2);
  both[0].facts = {.cpu_total = 1s, .wall = 3s, .memory_peak = 5_MiB};
  both[1].facts = {.end = Signaled{SIGSEGV}, .cpu_total = 2s, .wall = 1s, .memory_peak = 7_MiB};
  const Facts all = together(both, 1);
  EXPECT_EQ(all.end, sandbox::End(Signaled{SIGSEGV}));
  EXPECT_EQ(all.cpu_total, 3s);
  EXPECT_EQ(all.wall, 3s);
  EXPECT_EQ(all.memory_peak, 7_MiB);
}

}  // namespace
}  // namespace assay::judge
