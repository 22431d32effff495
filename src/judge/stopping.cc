#include "judge/stopping.h"

#include <algorithm>

#include "base/check.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

std::vector<bool> after_the_first(KnownVerdicts known) {
  std::vector<bool> skipped(known.size(), false);
  bool failed = false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    skipped[i] = failed;
    failed = failed || (known[i] && is_failure(*known[i], SubtaskRule::Min));
  }
  return skipped;
}

}  // namespace

bool is_failure(Verdict verdict, SubtaskRule rule) {
  if (verdict == Verdict::Accepted || verdict == Verdict::Skipped) return false;
  return rule == SubtaskRule::All || verdict != Verdict::PartiallyCorrect;
}

StopRule stop_rule(const std::optional<StopRule>& asked, const Problem& problem,
                   const verdict::Policy& policy) {
  if (asked) return *asked;
  if (problem.stop) return *problem.stop;
  switch (policy.submission.stop) {
    case verdict::Stop::First:
      return StopRule::First;
    case verdict::Stop::Group:
    case verdict::Stop::Dependents:
      return StopRule::Group;
    case verdict::Stop::None:
      break;
  }
  return StopRule::None;
}

Stopping::Stopping(const Problem& problem, StopRule stop) : problem_(problem), stop_(stop) {
  if (stop_ != StopRule::Group) return;
  auto subtasks = order_subtasks(problem_.subtasks);
  CHECK(subtasks.has_value());  // check_problem() has seen it
  subtasks_ = *std::move(subtasks);
  for (const ProblemTest& test : problem_.tests) {
    const auto found = subtasks_.places.find(test.subtask);
    groups_.push_back(found == subtasks_.places.end() ? std::nullopt
                                                      : std::optional(found->second));
  }
}

std::vector<bool> Stopping::by_group(KnownVerdicts known) const {
  std::vector<bool> failed(problem_.subtasks.size(), false);  // their dependents are worth nothing
  std::vector<bool> skipped(known.size(), false);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!groups_[i]) continue;
    const SubtaskRule rule = problem_.subtasks[*groups_[i]].rule;
    skipped[i] = failed[*groups_[i]] && rule != SubtaskRule::Sum && rule != SubtaskRule::Script;
    if (known[i] && is_failure(*known[i], rule)) failed[*groups_[i]] = true;
  }
  std::vector<bool> closed(failed.size(), false);  // it depends on one that failed
  for (const std::size_t group : subtasks_.order)
    closed[group] = std::ranges::any_of(subtasks_.depends_on[group], [&](std::size_t other) {
      return failed[other] || closed[other];
    });
  for (std::size_t i = 0; i < known.size(); ++i)
    if (groups_[i] && closed[*groups_[i]]) skipped[i] = true;
  return skipped;
}

std::vector<bool> Stopping::skipped_tests(KnownVerdicts known) const {
  switch (stop_) {
    case StopRule::First:
      return after_the_first(known);
    case StopRule::Group:
      return by_group(known);
    case StopRule::None:
      break;
  }
  return std::vector<bool>(known.size(), false);
}

std::vector<bool> Stopping::doubtful_tests(KnownVerdicts known) const {
  std::vector<std::optional<Verdict>> darkest(known.begin(), known.end());
  for (auto& verdict : darkest)
    if (!verdict) verdict = Verdict::WrongAnswer;
  return skipped_tests(darkest);
}

}  // namespace assay::judge
