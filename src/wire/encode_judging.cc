// Judgings and their results, in seed 001's words.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "wire/encode_dialogue.h"
#include "wire/encode_facts.h"
#include "wire/judging.h"
#include "wire/noj_result.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using judge::JudgeResult;
using judge::TestResult;
using service::JudgingStage;
using service::JudgingStep;

std::int64_t milliseconds(Nanoseconds time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

std::uint64_t kilobytes(Bytes bytes) {
  return bytes.count / 1024;
}

void append_score(std::string& out, double score) {
  fmt::format_to(std::back_inserter(out), "{}", std::round(score * 1e6) / 1e6);
}

void append_optional(Object& object, std::string_view key, const std::optional<int>& number) {
  if (number)
    object.number(key, *number);
  else
    object.null(key);
}

void append_time(Object& object, std::string_view key, JudgeResult::Clock::time_point time) {
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(time);
  const std::time_t seconds = JudgeResult::Clock::to_time_t(whole);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  object.text(key, fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                               parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                               parts.tm_sec, whole.time_since_epoch().count() % 1000));
}

void append_compile(std::string& out, const judge::CompileResult& compile) {
  Object object(out);
  object.flag("ok", compile.ok);
  append_optional(object, "exitCode", compile.exit_code);
  object.number("timeMs", milliseconds(compile.time));
  object.count("memoryKB", kilobytes(compile.memory));
  object.text("log", compile.log);
  object.text("error", compile.error);
  if (compile.cached) object.flag("cached", true);
  object.close();
}

void append_compile(Object& object, std::string_view key,
                    const std::optional<judge::CompileResult>& compile) {
  if (compile)
    append_compile(object.value(key), *compile);
  else
    object.null(key);
}

// Only where there is something to say: seed 001 has no such fields.
void append_more(Object& object, const TestResult& test) {
  if (!test.team_message.empty()) object.text("teamMessage", test.team_message);
  if (test.verdict_without_limit) object.text("verdictWithoutLimit", test.letters_without_limit);
  if (test.sanitizer_report) object.flag("sanitizerReport", true);
  if (!test.run_times.empty())
    append_list(object.value("runTimesMs"), test.run_times,
                [](std::string& out, Nanoseconds time) { append_number(out, milliseconds(time)); });
}

// Of what did not run nothing was measured: skipped, or an output that was handed in.
void append_measures(Object& object, const TestResult& test) {
  if (!test.facts) {
    for (const std::string_view key : {"timeMs", "wallTimeMs", "memoryKB"})
      object.null(key);
    return;
  }
  object.number("timeMs", milliseconds(test.time));
  object.number("wallTimeMs", milliseconds(test.wall));
  object.count("memoryKB", kilobytes(test.memory));
}

void append_test(std::string& out, const TestResult& test, bool with_facts) {
  Object object(out);
  object.text("testId", test.id);
  object.text("verdict", test.letters);
  append_measures(object, test);
  object.count("outputKB", kilobytes(test.output_size));
  append_optional(object, "exitCode", test.exit_code);
  object.text("message", test.message);
  object.text("runtimeLog", test.errors);
  object.text("checkerLog", test.checker_log);
  object.text("stdout", test.output);
  object.text("stderr", test.errors);
  append_score(object.value("score"), test.score);
  object.text("subtaskId", test.subtask);
  append_more(object, test);
  if (test.interaction)
    append_interaction(object.value("interaction"), *test.interaction, with_facts);
  if (test.interaction && test.interaction->taught) append_noj_result(object.value("noj"), test);
  if (with_facts) {
    if (test.facts)
      append_facts(object.value("facts"), *test.facts);
    else
      object.null("facts");
    if (!test.processes.empty())
      append_list(object.value("processes"), test.processes, append_facts);
  }
  object.close();
}

void append_subtask(std::string& out, const judge::SubtaskResult& subtask) {
  Object object(out);
  object.text("id", subtask.id);
  append_score(object.value("score"), subtask.score);
  object.flag("solved", subtask.solved);
  object.close();
}

void append_script(std::string& out, const judge::ScriptScore& script) {
  Object object(out);
  object.text("message", script.message);
  object.value("breakdown") +=
      script.breakdown.empty() ? "null" : script.breakdown;  // JSON already
  object.close();
}

void append_summary(std::string& out, const judge::Summary& summary) {
  Object object(out);
  object.number("totalTimeMs", milliseconds(summary.total_time));
  object.count("maxMemoryKB", kilobytes(summary.max_memory));
  append_score(object.value("totalScore"), summary.total_score);
  object.text("failedTestId", summary.failed_test);
  if (!summary.worst.empty()) object.text("worst", summary.worst);
  if (summary.verdict_without_limit)
    object.text("verdictWithoutLimit", summary.letters_without_limit);
  if (summary.sanitizer_report) object.flag("sanitizerReport", true);
  object.close();
}

void append_result(std::string& out, const JudgeResult& result, bool with_facts) {
  Object object(out);
  const bool finished = result.status == judge::JudgeStatus::Finished;
  object.text("submissionId", result.submission_id);
  object.text("status", finished ? "Finished" : "Failed");
  object.text("verdict", result.letters);
  object.text("message", result.message);
  append_score(object.value("score"), result.score);
  object.text("language", result.language);
  append_compile(object, "compile", result.compile);
  if (result.lint) append_compile(object, "lint", result.lint);
  append_list(object.value("tests"), result.tests,
              [&](std::string& to, const TestResult& test) { append_test(to, test, with_facts); });
  append_list(object.value("subtasks"), result.subtasks, append_subtask);
  if (result.script) append_script(object.value("scoring"), *result.script);
  append_summary(object.value("summary"), result.summary);
  Object times(object.value("timestamps"));
  append_time(times, "receivedAt", result.received_at);
  append_time(times, "finishedAt", result.finished_at);
  times.close();
  object.close();
}

std::string_view name_of(JudgingStage stage) {
  switch (stage) {
    case JudgingStage::Pending:
      return "Pending";
    case JudgingStage::Compiling:
      return "Compiling";
    case JudgingStage::Running:
      return "Running";
    case JudgingStage::Over:
      break;
  }
  return "Finished";
}

}  // namespace

std::string_view name_of(JudgingStep step) {
  switch (step) {
    case JudgingStep::Queued:
      return "queued";
    case JudgingStep::Begun:
      return "begun";
    case JudgingStep::Compiled:
      return "compiled";
    case JudgingStep::Said:
      return "said";
    case JudgingStep::Tested:
      return "test";
    case JudgingStep::Ended:
      break;
  }
  return "result";
}

std::string encode_judge_result(const JudgeResult& result, bool with_facts) {
  std::string out;
  append_result(out, result, with_facts);
  out += '\n';
  return out;
}

std::string encode_judging(const service::Judging& judging) {
  const service::JudgingView view = judging.view();
  if (view.result) return encode_judge_result(*view.result, judging.order().wants_facts);
  std::string out;
  Object object(out);
  object.text("submissionId", judging.id());
  object.text("status", name_of(view.stage));
  Object progress(object.value("progress"));
  progress.count("totalTests", judging.tests());
  progress.count("doneTests", view.tests_done);
  progress.close();
  Object times(object.value("timestamps"));
  append_time(times, "receivedAt", judging.received_at());
  times.close();
  object.close();
  out += '\n';
  return out;
}

std::string encode_event(const service::JudgingEvent& event, const service::Judging& judging) {
  std::string out;
  Object object(out);
  object.count("number", event.number);
  object.text("event", name_of(event.step));
  object.text("submissionId", judging.id());
  if (event.step == JudgingStep::Compiled) append_compile(object, "compile", event.compile);
  if (event.said) append_said(object.value("said"), *event.said);
  if (event.test) append_test(object.value("test"), *event.test, judging.order().wants_facts);
  if (event.result)
    append_result(object.value("result"), *event.result, judging.order().wants_facts);
  object.close();
  return out;
}

}  // namespace assay::wire
