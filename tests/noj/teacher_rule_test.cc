// N14, N15 and N23 as pure functions.
#include <gtest/gtest.h>

#include "judge/teacher.h"

namespace assay::test {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using verdict::Verdict;

TEST(NojCheckResult, TheLastOfEachLineCounts) {
  struct Case {
    std::string text;
    Verdict verdict;
    std::string message;
  };
  for (const Case& each : {
           Case{"STATUS: AC\nMESSAGE: yes\n", Verdict::Accepted, "yes"},
           Case{"STATUS:WA", Verdict::WrongAnswer, ""},
           Case{"STATUS:   AC  \r\n", Verdict::Accepted, ""},
           Case{"STATUS: WA\nSTATUS: AC\nMESSAGE: a\nMESSAGE: b\n", Verdict::Accepted, "b"},
           Case{"MESSAGE: early\nnoise\nSTATUS: AC\n", Verdict::Accepted, "early"},
           Case{"STATUS: AC\nSTATUS: PE\n", Verdict::JudgeFailed,
                "Invalid Check_Result STATUS: \"PE\""},
           Case{"STATUS: ac\n", Verdict::JudgeFailed, "Invalid Check_Result STATUS: \"ac\""},
           Case{"", Verdict::JudgeFailed, "Invalid Check_Result STATUS"},
           Case{"RESULT: AC\n", Verdict::JudgeFailed, "Invalid Check_Result STATUS"},
       }) {
    const judge::CheckResult read = judge::read_check_result(each.text, "");
    EXPECT_EQ(read.verdict, each.verdict) << each.text;
    EXPECT_EQ(read.message, each.message) << each.text;
  }
  EXPECT_EQ(judge::read_check_result(std::nullopt, "").message, "Check_Result not found");
  EXPECT_EQ(judge::read_check_result(std::nullopt, "it is a directory").message,
            "Check_Result not found: it is a directory");
}

// N15 as a matrix: what the student did, what the teacher did, what Check_Result says.
TEST(NojRule, StudentThenTeacherThenCheckResult) {
  using sandbox::CutOff;
  const verdict::Policy noj = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "noj").value();
  const sandbox::Limits limits{.cpu_time = 1s, .wall_time = 1300ms, .memory = 64_MiB};
  struct Way {
    const char* letters;  // of whoever ended so
    sandbox::Facts facts;
  };
  const Way ways[] = {
      {"AC", {.end = sandbox::Exited{0}, .limits = limits}},
      {"RE", {.end = sandbox::Exited{1}, .limits = limits}},
      {"RE", {.end = sandbox::Signaled{11}, .limits = limits}},
      {"RE", {.end = sandbox::Forbidden{2}, .limits = limits}},
      {"TLE",
       {.end = sandbox::Signaled{9}, .cut_off_by = CutOff::Wall, .wall = 1300ms, .limits = limits}},
      {"TLE",
       {.end = sandbox::Signaled{9},
        .cut_off_by = CutOff::Cpu,
        .cpu_total = 1001ms,
        .cpu_user = 1001ms,
        .limits = limits}},
      {"MLE",
       {.end = sandbox::Signaled{9},
        .cut_off_by = CutOff::Memory,
        .memory_peak = 64_MiB,
        .oom_kills = 1,
        .limits = limits}},
      {"OLE",
       {.end = sandbox::Signaled{9},
        .cut_off_by = CutOff::Output,
        .output = {.over_limit = true},
        .limits = limits}},
  };
  struct Word {
    const char* letters;
    judge::CheckResult said;
  };
  const Word words[] = {{"AC", {.verdict = Verdict::Accepted}},
                        {"WA", {.verdict = Verdict::WrongAnswer}},
                        {"CE", {.verdict = Verdict::JudgeFailed}}};
  for (const Way& student : ways)
    for (const Way& teacher : ways)
      for (const Word& word : words)
        for (const auto first : {judge::FirstToEnd::Solution, judge::FirstToEnd::Interactor}) {
          const judge::Ruling ruling =
              judge::rule({.solution = &student.facts,
                           .interactor = &teacher.facts,
                           .of_solution = verdict::judge(student.facts, noj),
                           .first = first,
                           .said = word.said,
                           .exit_code_speaks = false},
                          noj);
          std::string wanted = word.letters;
          if (std::string_view(teacher.letters) != "AC") wanted = teacher.letters;
          // A teacher that floods is nobody's verdict: D1, case 20.
          if (std::string_view(teacher.letters) == "OLE") wanted = "JE";
          if (std::string_view(student.letters) != "AC") wanted = student.letters;
          EXPECT_EQ(noj.verdicts.at(index_of(ruling.verdict)).letters, wanted)
              << student.letters << " " << teacher.letters << " " << word.letters;
        }
}

TEST(NojRule, NewFilesCountOnlyWhereAllElseIsWell) {
  const verdict::Policy noj = verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "noj").value();
  const judge::Ruling right{.verdict = Verdict::Accepted};
  EXPECT_EQ(judge::with_files(right, 500, noj).verdict, Verdict::Accepted);
  EXPECT_EQ(judge::with_files(right, 501, noj).verdict, Verdict::CompileError);
  EXPECT_EQ(judge::with_files(right, 501, noj).reason, "teacher created too many files (501)");
  const judge::Ruling wrong{.verdict = Verdict::WrongAnswer};
  EXPECT_EQ(judge::with_files(wrong, 9999, noj).verdict, Verdict::WrongAnswer);
}

}  // namespace
}  // namespace assay::test
