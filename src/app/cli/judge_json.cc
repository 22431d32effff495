#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "app/cli/json_text.h"
#include "app/cli/judge_report.h"

namespace assay::cli {
namespace {

using judge::JudgeResult;
using judge::TestResult;

std::int64_t milliseconds(Nanoseconds time) {
  return std::chrono::ceil<std::chrono::milliseconds>(time).count();
}

std::uint64_t kilobytes(Bytes bytes) {
  return (bytes.count + 1023) / 1024;
}

std::string optional_number(const std::optional<int>& number) {
  return number ? std::to_string(*number) : "null";
}

std::string score_text(double score) {
  return fmt::format("{}", std::round(score * 1e6) / 1e6);
}

std::string time_text(JudgeResult::Clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(time);
  const std::time_t seconds = JudgeResult::Clock::to_time_t(whole);
  const auto rest = whole.time_since_epoch().count() % 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("\"{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z\"", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     rest);
}

std::string compile_json(const std::optional<judge::CompileResult>& compile) {
  if (!compile) return "null";
  return fmt::format(R"({{"ok":{},"exitCode":{},"timeMs":{},"memoryKB":{},"log":{},"error":{}}})",
                     compile->ok, optional_number(compile->exit_code), milliseconds(compile->time),
                     kilobytes(compile->memory), json_quoted(compile->log),
                     json_quoted(compile->error));
}

// Only where there is something to say: seed 001 has no such fields.
std::string more_about(const TestResult& test) {
  std::string text;
  if (test.verdict_without_limit)
    text += fmt::format(R"(,"verdictWithoutLimit":{})", json_quoted(test.letters_without_limit));
  if (test.sanitizer_report) text += R"(,"sanitizerReport":true)";
  std::string times;
  for (const Nanoseconds time : test.run_times)
    times += fmt::format("{}{}", times.empty() ? "" : ",", milliseconds(time));
  if (!times.empty()) text += fmt::format(R"(,"runTimesMs":[{}])", times);
  return text;
}

std::string test_json(const TestResult& test) {
  return fmt::format(
      R"({{"testId":{},"verdict":{},"timeMs":{},"wallTimeMs":{},"memoryKB":{},"outputKB":{},)"
      R"("exitCode":{},"message":{},"runtimeLog":{},"checkerLog":{},"stdout":{},"stderr":{},)"
      R"("score":{},"subtaskId":{}{}}})",
      json_quoted(test.id), json_quoted(test.letters), milliseconds(test.time),
      milliseconds(test.wall), kilobytes(test.memory), kilobytes(test.output_size),
      optional_number(test.exit_code), json_quoted(test.message), json_quoted(test.errors),
      json_quoted(test.checker_log), json_quoted(test.output), json_quoted(test.errors),
      score_text(test.score), json_quoted(test.subtask), more_about(test));
}

std::string subtask_json(const judge::SubtaskResult& subtask) {
  return fmt::format(R"({{"id":{},"score":{},"solved":{}}})", json_quoted(subtask.id),
                     score_text(subtask.score), subtask.solved);
}

template <typename T>
std::string list_json(const std::vector<T>& values, std::string (*one)(const T&)) {
  std::string list;
  for (const T& value : values)
    list += (list.empty() ? "" : ",") + one(value);
  return "[" + list + "]";
}

std::string summary_json(const judge::Summary& summary) {
  std::string more;
  if (summary.verdict_without_limit)
    more += fmt::format(R"(,"verdictWithoutLimit":{})", json_quoted(summary.letters_without_limit));
  if (summary.sanitizer_report) more += R"(,"sanitizerReport":true)";
  return fmt::format(R"({{"totalTimeMs":{},"maxMemoryKB":{},"totalScore":{},"failedTestId":{}{}}})",
                     milliseconds(summary.total_time), kilobytes(summary.max_memory),
                     score_text(summary.total_score), json_quoted(summary.failed_test), more);
}

}  // namespace

std::string judge_json(const JudgeResult& result) {
  const bool finished = result.status == judge::JudgeStatus::Finished;
  return fmt::format(
      R"({{"submissionId":{},"status":"{}","verdict":{},"message":{},"score":{},"language":{},)"
      R"("compile":{}{},"tests":{},"subtasks":{},"summary":{},)"
      R"("timestamps":{{"receivedAt":{},"finishedAt":{}}}}})"
      "\n",
      json_quoted(result.submission_id), finished ? "Finished" : "Failed",
      json_quoted(result.letters), json_quoted(result.message), score_text(result.score),
      json_quoted(result.language), compile_json(result.compile),
      result.lint ? ",\"lint\":" + compile_json(result.lint) : "",
      list_json(result.tests, test_json), list_json(result.subtasks, subtask_json),
      summary_json(result.summary), time_text(result.received_at), time_text(result.finished_at));
}

}  // namespace assay::cli
