#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <map>

#include "judge/checker_text.h"
#include "judge/scorer.h"

namespace assay::judge {
namespace {

namespace json = boost::json;

constexpr double kMostScore = 1e9;
constexpr std::size_t kLongestMessage = 1024;

std::int64_t milliseconds(Nanoseconds time) {
  return std::chrono::floor<std::chrono::milliseconds>(time).count();
}

std::uint64_t kilobytes(Bytes bytes) {
  return bytes.count / 1024;
}

// Programs print anything, and a reader of JSON must not stumble over it.
json::string safe(std::string_view text) {
  return json::string(safe_text(text, kLongestMessage));
}

json::object case_of(const TestResult& test, std::size_t index) {
  return {{"caseIndex", index},
          {"testId", safe(test.id)},
          {"status", safe(test.letters)},
          {"runTime", milliseconds(test.time)},
          {"memoryUsage", kilobytes(test.memory)},
          {"share", test.share}};
}

// Scripts take a whole score for an int, and Python divides them into one.
json::value score_of(double score) {
  if (score == std::floor(score) && std::abs(score) <= kMostScore)
    return static_cast<std::int64_t>(score);
  return score;
}

using Cases = std::map<std::string_view, json::array>;

Cases cases_by_subtask(const JudgeResult& result) {
  Cases all;
  for (const TestResult& test : result.tests) {
    json::array& cases = all[test.subtask];
    cases.push_back(case_of(test, cases.size()));
  }
  return all;
}

json::object task_of(Cases& by_subtask, std::size_t index, const std::string& id, double worth,
                     double score) {
  json::array cases = std::move(by_subtask[id]);
  return {{"taskIndex", index},           {"taskId", safe(id)},
          {"taskScore", score_of(worth)}, {"caseCount", cases.size()},
          {"results", std::move(cases)},  {"subtaskScore", score_of(score)}};
}

json::object stats_of(const JudgeResult& result) {
  std::int64_t most = 0;
  std::int64_t sum = 0;
  std::uint64_t most_memory = 0;
  std::uint64_t sum_memory = 0;
  for (const TestResult& test : result.tests) {
    most = std::max(most, milliseconds(test.time));
    sum += milliseconds(test.time);
    most_memory = std::max(most_memory, kilobytes(test.memory));
    sum_memory += kilobytes(test.memory);
  }
  const double count = std::max<double>(1, static_cast<double>(result.tests.size()));
  const auto average = [count](auto all) {
    return std::round(static_cast<double>(all) / count * 100) / 100;
  };
  return {
      {"maxRunTime", most},       {"avgRunTime", average(sum)},       {"sumRunTime", sum},
      {"maxMemory", most_memory}, {"avgMemory", average(sum_memory)}, {"sumMemory", sum_memory}};
}

json::value language_type(const std::string& id) {
  const auto is_version_of = [&id](std::string_view name) {
    return id.starts_with(name) &&
           std::ranges::all_of(id.substr(name.size()), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (is_version_of("c")) return 0;
  if (is_version_of("cpp")) return 1;
  if (id == "python3") return 2;
  return safe(id);
}

double number_in(const json::value& value) {
  boost::system::error_code error;
  const auto number = value.to_number<double>(error);
  return error || !std::isfinite(number) ? 0 : std::clamp(number, 0.0, kMostScore);
}

// JSON has no infinity, but it has 1e400, which is read as one and could not be written again.
bool is_finite(const json::value& value) {
  if (const auto* object = value.if_object())
    return std::ranges::all_of(*object, [](const auto& pair) { return is_finite(pair.value()); });
  if (const auto* array = value.if_array()) return std::ranges::all_of(*array, is_finite);
  return !value.is_double() || std::isfinite(value.get_double());
}

Result<json::object> parse_answer(std::string_view text) {
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = 16;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error, {}, options);
  if (error) return invalid("the scorer's answer is no JSON");
  if (!value.is_object()) return invalid("the scorer's answer is no JSON object");
  if (!is_finite(value)) return invalid("the scorer's answer has a number that is too large");
  return std::move(value.as_object());
}

}  // namespace

std::string scorer_input(const Problem& problem, const JudgeResult& result) {
  Cases cases = cases_by_subtask(result);
  json::array tasks;
  for (std::size_t i = 0; i < problem.subtasks.size(); ++i)
    tasks.push_back(task_of(cases, i, problem.subtasks[i].id, problem.subtasks[i].score,
                            result.subtasks.at(i).score));
  double rest = 0;
  for (const TestResult& test : result.tests)
    if (test.subtask.empty()) rest += test.score;
  if (cases.contains(""))
    tasks.push_back(task_of(cases, tasks.size(), "", problem.subtasks.empty() ? 100 : rest, rest));
  const json::object all{{"submissionId", safe(result.submission_id)},
                         {"problemId", nullptr},
                         {"languageType", language_type(result.language)},
                         {"tasks", tasks},
                         {"totalScore", score_of(result.score)},
                         {"staticAnalysis", nullptr},
                         {"lateSeconds", -1},
                         {"stats", stats_of(result)},
                         {"checkerArtifacts", nullptr}};
  return json::serialize(all) + "\n";
}

Result<ScorerAnswer> read_scorer_answer(std::string_view text) {
  const json::object object = TRY(parse_answer(text));
  const json::value* score = object.if_contains("score");
  if (score == nullptr) return invalid("the scorer's answer has no score");
  ScorerAnswer answer{.score = number_in(*score),
                      .is_whole = score->is_int64() || score->is_uint64()};
  if (const json::value* message = object.if_contains("message"); message && message->is_string())
    answer.said.message = safe_text(std::string_view(message->as_string()), kLongestMessage);
  if (const json::value* breakdown = object.if_contains("breakdown")) {
    answer.said.breakdown = json::serialize(*breakdown);
    if (breakdown->is_object())
      for (const auto& [id, value] : breakdown->as_object())
        if (value.is_number()) answer.subtasks.emplace(id, number_in(value));
  }
  return answer;
}

Status apply_scorer_answer(const Problem& problem, const ScorerAnswer& answer,
                           const verdict::Policy& policy, JudgeResult& result) {
  for (std::size_t i = 0; i < problem.subtasks.size(); ++i) {
    const Subtask& subtask = problem.subtasks[i];
    if (subtask.rule != SubtaskRule::Script) continue;
    const auto found = answer.subtasks.find(subtask.id);
    if (found == answer.subtasks.end())
      return invalid(fmt::format("the scorer says nothing about subtask '{}'", subtask.id));
    result.subtasks.at(i).score = std::min(found->second, subtask.score);
  }
  const bool counts = answer.is_whole || !policy.submission.whole_scores;
  result.score = result.summary.total_score = counts ? answer.score : 0;
  result.script = answer.said;
  return {};
}

}  // namespace assay::judge
