#include "wire/noj_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "wire/noj_result.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using judge::JudgeResult;
using judge::TestResult;
using verdict::Verdict;

// What its back end knows by name; everything else came to nothing.
constexpr std::array<std::string_view, 9> kStatuses{"AC", "WA", "CE",  "TLE", "MLE",
                                                    "RE", "JE", "OLE", "AE"};

// What else was said of a program that ran to its end.
bool was_checked(const TestResult& test) {
  using enum Verdict;
  return test.facts && (test.verdict == Accepted || test.verdict == WrongAnswer ||
                        test.verdict == PresentationError || test.verdict == PartiallyCorrect ||
                        test.verdict == JudgeFailed);
}

// One case with what surrounds it.
struct Case {
  const judge::Problem& problem;
  const JudgeResult& result;
  const TestResult& test;

  [[nodiscard]] bool is_skipped() const { return test.verdict == Verdict::Skipped; }
  [[nodiscard]] bool is_taught() const { return test.interaction && test.interaction->taught; }
  [[nodiscard]] bool has_checker() const {
    return std::holds_alternative<judge::CheckerProgram>(problem.checker);
  }

  // One that was not run, because the whole came to something else, came to that, too.
  [[nodiscard]] std::string_view status() const {
    const std::string& letters = is_skipped() ? result.letters : test.letters;
    const auto known = std::ranges::find(kStatuses, letters);
    return known == kStatuses.end() ? "JE" : *known;
  }
  [[nodiscard]] std::string errors() const {
    if (is_skipped())
      return result.compile && !result.compile->ok ? result.compile->log : result.message;
    if (is_taught()) return test.message.empty() ? test.errors : test.message;
    if (!was_checked(test)) return test.errors.empty() ? test.message : test.errors;
    if (!has_checker() || test.message.empty()) return test.errors;
    return test.errors + (test.errors.empty() ? "" : "\n") + "[custom_checker] " + test.message;
  }
  [[nodiscard]] NojUsage usage() const {
    if (!test.facts) return {.milliseconds = -1};
    if (is_taught()) return noj_usage(test);
    return {
        .milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(test.time).count(),
        .kibibytes = static_cast<std::int64_t>(test.memory.count >> 10)};
  }
};

void append_case(std::string& out, const Case& one) {
  const NojUsage usage = one.usage();
  Object object(out);
  object.text("stdout", one.test.output);
  object.text("stderr", one.errors());
  object.number("exitCode", one.test.facts ? one.test.exit_code.value_or(1) : 1);
  object.number("execTime", usage.milliseconds);
  object.number("memoryUsage", usage.kibibytes);
  object.text("status", one.status());
  object.close();
}

void append_tasks(std::string& out, const judge::Problem& problem, const JudgeResult& result) {
  append_list(out, problem.subtasks, [&](std::string& list, const judge::Subtask& task) {
    std::vector<const TestResult*> cases;
    for (const TestResult& test : result.tests)
      if (test.subtask == task.id) cases.push_back(&test);
    append_list(list, cases, [&](std::string& each, const TestResult* test) {
      append_case(each, {problem, result, *test});
    });
  });
}

void append_checker(std::string& out, const JudgeResult& result) {
  Object object(out);
  std::vector<const TestResult*> spoken;
  for (const TestResult& test : result.tests)
    if (was_checked(test) && !test.message.empty()) spoken.push_back(&test);
  append_list(object.value("messages"), spoken, [](std::string& list, const TestResult* test) {
    Object message(list);
    message.text("case", test->id);
    message.text("status", test->letters);
    message.text("message", test->message);
    message.close();
  });
  object.close();
}

void append_scoring(std::string& out, const JudgeResult& result) {
  Object object(out);
  object.number("score", std::llround(result.score));
  object.text("message", result.script ? result.script->message : result.message);
  object.value("breakdown") +=
      result.script && !result.script->breakdown.empty() ? result.script->breakdown : "null";
  object.close();
}

std::string_view field(const NojFields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string_view{} : std::string_view(found->second);
}

Result<std::uint64_t> number(const NojFields& fields, const char* name, std::uint64_t most) {
  const auto number = parse_count(field(fields, name), 0, most);
  if (!number) return invalid(fmt::format("{}: {}", name, number.error().context));
  return *number;
}

}  // namespace

std::string_view noj_token(const NojFields& fields) {
  return field(fields, kNojToken);
}

Result<NojSubmission> decode_noj_submission(const NojFields& fields) {
  constexpr std::uint64_t kMostProblems = 1'000'000'000;
  if (field(fields, "problem_id").empty()) return invalid("missing problem id");
  NojSubmission what;
  what.problem = TRY(number(fields, "problem_id", kMostProblems));
  what.language = static_cast<unsigned>(TRY(number(fields, "language", 2)));
  const std::string_view type = field(fields, "submission_type");
  if (!type.empty() && type != "normal" && type != "trial")
    return invalid("submission_type must be normal or trial");
  what.is_trial = type == "trial";
  if (!field(fields, "custom_testcases_path").empty() ||
      (what.is_trial && field(fields, "use_default_case") == "false"))
    return invalid("test cases of a submission's own are not offered here");
  return what;
}

std::string encode_noj_ok() {
  return R"({"status":"ok","msg":"ok","data":"ok"})";
}

std::string encode_noj_error(std::string_view message) {
  std::string out;
  Object object(out);
  object.text("status", "err");
  object.text("message", message);
  object.null("data");
  object.close();
  return out;
}

std::string encode_noj_status(const NojQueue& queue, bool in_full) {
  std::string out;
  Object object(out);
  fmt::format_to(std::back_inserter(object.value("load")), "{}",
                 static_cast<double>(queue.queued) /
                     static_cast<double>(std::max<std::uint64_t>(queue.most, 1)));
  if (in_full) {
    object.count("queueSize", queue.queued);
    object.count("maxTaskCount", queue.most);
    object.count("containerCount", queue.running);
    object.count("maxContainerCount", queue.most_running);
    append_list(object.value("submissions"), queue.submissions,
                [](std::string& list, const std::string& id) { append_text(list, id); });
    object.flag("running", true);
  }
  object.close();
  return out;
}

std::string encode_noj_complete(const judge::Problem& problem, const JudgeResult& result,
                                std::string_view token) {
  std::string out;
  Object object(out);
  append_tasks(object.value("tasks"), problem, result);
  object.text("token", token);
  if (std::holds_alternative<judge::CheckerProgram>(problem.checker))
    append_checker(object.value("checker"), result);
  if (problem.scorer && !(result.compile && !result.compile->ok))
    append_scoring(object.value("scoring"), result);
  if (problem.scorer && result.verdict == Verdict::JudgeFailed) object.text("statusOverride", "JE");
  object.close();
  return out;
}

}  // namespace assay::wire
