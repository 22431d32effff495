#include "app/cli/judge_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/dialogue_report.h"
#include "judge/checker_text.h"
#include "sandbox/limits.h"

namespace assay::cli {
namespace {

using judge::JudgeResult;
using judge::TestResult;
using verdict::Verdict;

constexpr std::size_t kMessageWidth = 120;
constexpr std::size_t kShownLog = 4000;
constexpr std::size_t kBarWidth = 6;
constexpr std::size_t kFigureWidth = 10;

std::string painted(std::string_view text, Verdict verdict, Colours colours) {
  if (colours == Colours::No) return std::string(text);
  const std::string_view paint = verdict == Verdict::Accepted  ? "\033[1;32m"
                                 : verdict == Verdict::Skipped ? "\033[2m"
                                                               : "\033[1;31m";
  return fmt::format("{}{}\033[0m", paint, text);
}

// What is a full bar. Without a limit it is the most that any test took.
struct Scale {
  double time = 0;
  double memory = 0;
};

Scale most_of(const JudgeResult& result) {
  Scale most;
  for (const TestResult& test : result.tests) {
    most.time = std::max(most.time, static_cast<double>(test.time.count()));
    most.memory = std::max(most.memory, static_cast<double>(test.memory.count));
  }
  return most;
}

Scale scale_of(const judge::Problem& problem, std::size_t index, Scale most) {
  sandbox::Limits limits = problem.limits;
  if (index < problem.tests.size())
    limits = sandbox::merge_limits(problem.tests[index].limits, limits);
  if (limits.cpu_time) most.time = static_cast<double>(limits.cpu_time->count());
  if (limits.memory) most.memory = static_cast<double>(limits.memory->count);
  return most;
}

// Something is never nothing.
std::string bar(double part, double whole) {
  const double full = whole > 0 ? std::min(part / whole, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(std::ceil(full * kBarWidth));
  return std::string(filled, '#') + std::string(kBarWidth - filled, '.');
}

std::string line_of(const TestResult& test, Scale scale, std::size_t width, Colours colours) {
  const std::string letters = painted(fmt::format("{:<8}", test.letters), test.verdict, colours);
  if (test.verdict == Verdict::Skipped) return fmt::format("{:<{}}  {}\n", test.id, width, letters);
  std::string time(kBarWidth + kFigureWidth + 1, ' ');
  std::string memory = time;
  time.back() = memory.back() = '-';
  if (test.facts) {  // an output that was handed in took no time of ours
    time = fmt::format("{} {:>{}}", bar(static_cast<double>(test.time.count()), scale.time),
                       format_duration(test.time), kFigureWidth);
    memory = fmt::format("{} {:>{}}", bar(static_cast<double>(test.memory.count), scale.memory),
                         format_bytes(test.memory), kFigureWidth);
  }
  return fmt::format("{:<{}}  {}{}  {}  {:>7.2f}  {}\n", test.id, width, letters, time, memory,
                     test.score,
                     judge::safe_text(test.message, kMessageWidth) +
                         (test.sanitizer_report ? "  [sanitizer report]" : ""));
}

// The log with its lines, and without what a terminal would obey.
std::string shown_log(std::string_view log) {
  std::string text;
  std::size_t shown = 0;
  while (!log.empty() && shown < kShownLog) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    text += "  " + judge::safe_text(log.substr(0, end), 300) + "\n";
    shown += end + 1;
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  if (!log.empty()) text += "  ...\n";
  return text;
}

std::string failing_dialogue(const JudgeResult& result) {
  const auto test = std::ranges::find(result.tests, result.summary.failed_test, &TestResult::id);
  if (test == result.tests.end() || !test->interaction) return "";
  return fmt::format("dialogue of test {}:\n{}", test->id, side_by_side(*test->interaction));
}

}  // namespace

std::string compile_line(const judge::CompileResult& compile) {
  return fmt::format("compiled: {}, {}, {}\n", compile.ok ? "ok" : compile.error,
                     format_duration(compile.time), format_bytes(compile.memory));
}

std::string table(const judge::Problem& problem, const JudgeResult& result, Colours colours) {
  std::string text;
  std::size_t width = 4;
  for (const TestResult& test : result.tests)
    width = std::max(width, test.id.size());
  if (result.lint && !result.lint->ok)
    text += "syntax: " + result.lint->error + "\n" + shown_log(result.lint->log);
  if (result.compile) text += compile_line(*result.compile);
  if (result.compile && !result.compile->ok) text += shown_log(result.compile->log);
  if (result.verdict != Verdict::CompileError && !result.tests.empty()) {
    const std::size_t column = kBarWidth + 1 + kFigureWidth;
    text += fmt::format("{:<{}}  {:<8}{:>{}}  {:>{}}  {:>7}  {}\n", "test", width, "verdict",
                        "time", column, "memory", column, "score", "message");
    const Scale most = most_of(result);
    for (std::size_t i = 0; i < result.tests.size(); ++i)
      text += line_of(result.tests[i], scale_of(problem, i, most), width, colours);
  }
  text += failing_dialogue(result);
  for (const judge::SubtaskResult& subtask : result.subtasks)
    text += fmt::format("subtask {}: {:.2f}\n", subtask.id, subtask.score);
  text += fmt::format("{}  score {:.2f}", painted(result.letters, result.verdict, colours),
                      result.score);
  if (!result.summary.failed_test.empty()) text += "  first failure: " + result.summary.failed_test;
  if (result.summary.worst != result.letters) text += "  worst: " + result.summary.worst;
  if (result.summary.verdict_without_limit)
    text += "  without the limit: " + result.summary.letters_without_limit;
  if (result.summary.sanitizer_report) text += "  a sanitizer complained";
  if (result.script && !result.script->message.empty())
    text += "  " + judge::safe_text(result.script->message, 400);
  if (!result.message.empty()) text += "  " + judge::safe_text(result.message, 400);
  return text + "\n";
}

}  // namespace assay::cli
