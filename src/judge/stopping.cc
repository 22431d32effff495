#include "judge/stopping.h"

#include <algorithm>
#include <map>
#include <string_view>

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

struct Group {
  const Subtask* subtask = nullptr;
  bool failed = false;   // so that whoever depends on it is worth nothing
  bool skipped = false;  // it depends on one that failed
};
using Groups = std::map<std::string_view, Group>;

// Passes over all until nothing changes: there are no cycles, so there are at most as many passes
// as subtasks.
void skip_dependents(Groups& groups) {
  const auto fails = [&groups](const std::string& id) {
    const Group& other = groups.at(id);
    return other.failed || other.skipped;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [id, group] : groups) {
      if (group.skipped || !std::ranges::any_of(group.subtask->depends_on, fails)) continue;
      group.skipped = changed = true;
    }
  }
}

std::vector<bool> by_group(const Problem& problem, KnownVerdicts known) {
  Groups groups;
  for (const Subtask& subtask : problem.subtasks)
    groups[subtask.id].subtask = &subtask;
  std::vector<bool> skipped(known.size(), false);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto found = groups.find(problem.tests[i].subtask);
    if (found == groups.end()) continue;
    Group& group = found->second;
    skipped[i] = group.failed && group.subtask->rule != SubtaskRule::Sum &&
                 group.subtask->rule != SubtaskRule::Script;
    group.failed = group.failed || (known[i] && is_failure(*known[i], group.subtask->rule));
  }
  skip_dependents(groups);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto found = groups.find(problem.tests[i].subtask);
    if (found != groups.end() && found->second.skipped) skipped[i] = true;
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

std::vector<bool> skipped_tests(const Problem& problem, StopRule stop, KnownVerdicts known) {
  switch (stop) {
    case StopRule::First:
      return after_the_first(known);
    case StopRule::Group:
      return by_group(problem, known);
    case StopRule::None:
      break;
  }
  return std::vector<bool>(known.size(), false);
}

std::vector<bool> doubtful_tests(const Problem& problem, StopRule stop, KnownVerdicts known) {
  std::vector<std::optional<Verdict>> darkest(known.begin(), known.end());
  for (auto& verdict : darkest)
    if (!verdict) verdict = Verdict::WrongAnswer;
  return skipped_tests(problem, stop, darkest);
}

}  // namespace assay::judge
