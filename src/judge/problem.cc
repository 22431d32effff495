#include "judge/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace assay::judge {
namespace {

constexpr double kMostScore = 1e9;
constexpr std::size_t kLongestId = 128;
constexpr std::array<std::string_view, 3> kStopRules{"none", "first", "group"};

Status check_id(std::string_view id, std::string_view of) {
  const bool printable = std::ranges::all_of(
      id, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != 0x7f; });
  if (!id.empty() && id.size() <= kLongestId && printable) return {};
  return invalid(fmt::format("a {} has an id that is empty, too long or has blanks in it", of));
}

Status check_score(double score, const std::string& of) {
  if (std::isfinite(score) && score >= 0 && score <= kMostScore) return {};
  return invalid(fmt::format("the score of {} must be between 0 and {:.0f}", of, kMostScore));
}

using Subtasks = std::map<std::string_view, const Subtask*>;

// Depth first; `open` are those whose dependencies are being looked at.
Status check_no_cycle(const Subtask& subtask, const Subtasks& all, std::set<std::string_view>& open,
                      std::set<std::string_view>& done) {
  if (done.contains(subtask.id)) return {};
  if (!open.insert(subtask.id).second)
    return invalid(fmt::format("subtask '{}' depends on itself", subtask.id));
  for (const std::string& other : subtask.depends_on) {
    const auto found = all.find(other);
    if (found == all.end())
      return invalid(
          fmt::format("subtask '{}' depends on '{}', which does not exist", subtask.id, other));
    TRY_STATUS(check_no_cycle(*found->second, all, open, done));
  }
  open.erase(subtask.id);
  done.insert(subtask.id);
  return {};
}

Status check_subtasks(const Problem& problem) {
  Subtasks all;
  for (const Subtask& subtask : problem.subtasks) {
    TRY_STATUS(check_id(subtask.id, "subtask"));
    TRY_STATUS(check_score(subtask.score, fmt::format("subtask '{}'", subtask.id)));
    if (subtask.rule == SubtaskRule::Script && !problem.scorer)
      return invalid(fmt::format("subtask '{}' is for a scorer, and there is none", subtask.id));
    if (!all.emplace(subtask.id, &subtask).second)
      return invalid(fmt::format("there are two subtasks '{}'", subtask.id));
    if (std::ranges::find(problem.tests, subtask.id, &ProblemTest::subtask) == problem.tests.end())
      return invalid(fmt::format("subtask '{}' has no tests", subtask.id));
  }
  for (const ProblemTest& test : problem.tests)
    if (!test.subtask.empty() && !all.contains(test.subtask))
      return invalid(fmt::format("test '{}' belongs to subtask '{}', which does not exist", test.id,
                                 test.subtask));
  std::set<std::string_view> open;
  std::set<std::string_view> done;
  for (const Subtask& subtask : problem.subtasks)
    TRY_STATUS(check_no_cycle(subtask, all, open, done));
  return {};
}

Status check_tests(const Problem& problem) {
  if (problem.tests.empty()) return invalid("the problem has no tests");
  std::set<std::string_view> ids;
  for (const ProblemTest& test : problem.tests) {
    TRY_STATUS(check_id(test.id, "test"));
    if (test.score) TRY_STATUS(check_score(*test.score, fmt::format("test '{}'", test.id)));
    if (!ids.insert(test.id).second)
      return invalid(fmt::format("there are two tests '{}'", test.id));
  }
  return {};
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name[0] != '-' && name.size() < 256 &&
         std::ranges::all_of(
             name, [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '/'; });
}

Status check_files(const Problem& problem) {
  if (problem.io_mode == IoMode::Stdio) return {};
  if (!is_plain_name(problem.input_file) || !is_plain_name(problem.output_file))
    return invalid("fileio needs an inputFileName and an outputFileName without directories");
  if (problem.input_file == problem.output_file)
    return invalid("inputFileName and outputFileName must not be the same");
  return {};
}

}  // namespace

std::optional<StopRule> stop_rule_named(std::string_view name) {
  const auto found = std::ranges::find(kStopRules, name);
  if (found == kStopRules.end()) return std::nullopt;
  return static_cast<StopRule>(found - kStopRules.begin());
}

Status check_problem(const Problem& problem) {
  TRY_STATUS(check_files(problem));
  TRY_STATUS(check_tests(problem));
  TRY_STATUS(check_subtasks(problem));
  const auto* program = std::get_if<CheckerProgram>(&problem.checker);
  if (program != nullptr && program->source.sources.empty())
    return invalid("the checker has no source");
  if (problem.scorer && problem.scorer->source.sources.empty())
    return invalid("the scorer has no source");
  return {};
}

}  // namespace assay::judge
