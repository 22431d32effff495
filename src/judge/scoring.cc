#include "judge/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/check.h"
#include "judge/stopping.h"
#include "judge/subtask_order.h"
#include "verdict/judge.h"

namespace assay::judge {
namespace {

using verdict::Verdict;
using Tests = std::vector<const TestResult*>;

// Thirds of 100 add up to 100.
double rounded(double score) {
  return std::round(score * 1e6) / 1e6;
}

// All its tests are accepted. Where that is all or nothing, with all their points, too: an ICPC
// validator accepts with any score.
bool is_accepted(const Subtask& subtask, const Tests& tests) {
  return std::ranges::all_of(tests, [&](const TestResult* test) {
    const bool whole = subtask.rule != SubtaskRule::All || test->share >= 1;
    return test->verdict == Verdict::Accepted && whole;
  });
}

double score_of(const Subtask& subtask, const Tests& tests) {
  double sum = 0;
  double least = 1;
  for (const TestResult* test : tests) {
    sum += test->score;
    least = std::min(least, test->share);
  }
  switch (subtask.rule) {
    case SubtaskRule::All:
      return is_accepted(subtask, tests) ? subtask.score : 0;
    case SubtaskRule::Sum:
    case SubtaskRule::Script:
      return rounded(std::min(sum, subtask.score));
    case SubtaskRule::Min:
      return rounded(subtask.score * least);
  }
  return 0;
}

// An open subtask is one of which all that it depends on is solved.
void score_subtasks(const Problem& problem, JudgeResult& result) {
  const auto known = order_subtasks(problem.subtasks);
  CHECK(known.has_value());  // check_problem() has seen it
  std::vector<Tests> tests(problem.subtasks.size());
  for (const TestResult& test : result.tests)
    if (const auto place = known->places.find(test.subtask); place != known->places.end())
      tests[place->second].push_back(&test);
  result.subtasks.resize(problem.subtasks.size());
  for (const std::size_t i : known->order) {
    const Subtask& subtask = problem.subtasks[i];
    const bool open = std::ranges::all_of(
        known->depends_on[i], [&](std::size_t other) { return result.subtasks[other].solved; });
    result.subtasks[i] = {.id = subtask.id,
                          .score = open ? score_of(subtask, tests[i]) : 0,
                          .solved = open && is_accepted(subtask, tests[i])};
  }
}

const TestResult* first_that(const JudgeResult& result, bool (*holds)(Verdict)) {
  const auto found = std::ranges::find_if(result.tests, holds, &TestResult::verdict);
  return found == result.tests.end() ? nullptr : &*found;
}

// The one that the whole is called after. A partly right answer is no failure where one that is
// wrong follows: it stops nothing either (stopping.h).
const TestResult* decisive(const JudgeResult& result) {
  const auto failed = [](Verdict verdict) {
    return is_failure(verdict, SubtaskRule::Min);
  };
  const auto partly = [](Verdict verdict) {
    return verdict == Verdict::PartiallyCorrect;
  };
  const TestResult* found = first_that(result, failed);
  return found != nullptr ? found : first_that(result, partly);
}

std::vector<Verdict> verdicts_of(const JudgeResult& result) {
  std::vector<Verdict> all;
  for (const TestResult& test : result.tests)
    all.push_back(test.verdict);
  return all;
}

Verdict whole_verdict(const JudgeResult& result, const verdict::Policy& policy) {
  if (const TestResult* ours = first_that(result, verdict::is_our_fault)) return ours->verdict;
  if (policy.submission.aggregate == verdict::Aggregate::Worst)
    return verdict::worst(verdicts_of(result), policy);
  if (const TestResult* failed = decisive(result)) return failed->verdict;
  const auto skipped = [](Verdict verdict) {
    return verdict == Verdict::Skipped;
  };
  return first_that(result, skipped) != nullptr ? Verdict::Skipped : Verdict::Accepted;
}

// The words of the test that decided, which may be finer than the verdict's own.
std::string letters_for(const JudgeResult& result, Verdict verdict, const verdict::Policy& policy) {
  for (const TestResult& test : result.tests)
    if (test.verdict == verdict && test.verdict != Verdict::Accepted) return test.letters;
  return policy.verdicts.at(index_of(verdict)).letters;
}

// The same tests, if those that were too slow had had the soft limit's time.
void sum_up_without_limit(const verdict::Policy& policy, JudgeResult& result) {
  const auto spared = [](const TestResult& test) {
    return test.verdict_without_limit.has_value();
  };
  if (std::ranges::none_of(result.tests, spared)) return;
  JudgeResult other;
  for (const TestResult& test : result.tests)
    other.tests.push_back({.verdict = test.verdict_without_limit.value_or(test.verdict),
                           .letters = spared(test) ? test.letters_without_limit : test.letters});
  other.verdict = whole_verdict(other, policy);
  result.summary.verdict_without_limit = other.verdict;
  result.summary.letters_without_limit = letters_for(other, other.verdict, policy);
}

}  // namespace

std::vector<double> worths(const Problem& problem) {
  std::map<std::string_view, double> scores;
  std::map<std::string_view, std::size_t> counts;
  std::map<std::string_view, bool> said;
  for (const Subtask& subtask : problem.subtasks)
    scores[subtask.id] = subtask.score;
  if (problem.subtasks.empty()) scores[""] = 100;
  for (const ProblemTest& test : problem.tests) {
    const std::string_view group = problem.subtasks.empty() ? "" : std::string_view(test.subtask);
    ++counts[group];
    said[group] = said[group] || test.score.has_value();
  }
  std::vector<double> result;
  for (const ProblemTest& test : problem.tests) {
    const std::string_view group = problem.subtasks.empty() ? "" : std::string_view(test.subtask);
    const double equal = said[group] ? 0 : scores[group] / static_cast<double>(counts[group]);
    result.push_back(test.score.value_or(equal));
  }
  return result;
}

Status check_scores(const Problem& problem, const verdict::Policy& policy) {
  if (!policy.submission.score_sum) return {};
  double sum = 0;
  for (const Subtask& subtask : problem.subtasks)
    sum += subtask.score;
  if (problem.subtasks.empty())
    for (const double worth : worths(problem))
      sum += worth;
  if (rounded(sum) == *policy.submission.score_sum) return {};
  return invalid(fmt::format("the scores add up to {}, and policy '{}' wants {}", rounded(sum),
                             policy.name, *policy.submission.score_sum));
}

double share_of(Verdict verdict, const std::optional<Score>& score, double worth) {
  if (verdict != Verdict::Accepted && verdict != Verdict::PartiallyCorrect) return 0;
  if (!score) return verdict == Verdict::Accepted ? 1 : 0;
  if (score->unit == Score::Unit::Share) return std::clamp(score->value, 0.0, 1.0);
  if (worth > 0) return std::clamp(score->value / worth, 0.0, 1.0);
  return verdict == Verdict::Accepted ? 1 : 0;
}

void sum_up(const Problem& problem, const verdict::Policy& policy, JudgeResult& result) {
  Summary& summary = result.summary;
  double total = 0;
  for (const TestResult& test : result.tests) {
    summary.total_time += test.time;
    summary.max_memory = std::max(summary.max_memory, test.memory);
    summary.sanitizer_report = summary.sanitizer_report || test.sanitizer_report;
    if (test.subtask.empty()) total += test.score;
  }
  score_subtasks(problem, result);
  for (const SubtaskResult& subtask : result.subtasks)
    total += subtask.score;
  if (const TestResult* failed = decisive(result)) summary.failed_test = failed->id;
  result.score = summary.total_score = rounded(total);
  result.verdict = whole_verdict(result, policy);
  result.letters = letters_for(result, result.verdict, policy);
  summary.worst = letters_for(result, verdict::worst(verdicts_of(result), policy), policy);
  sum_up_without_limit(policy, result);
  result.status = status_of(result.verdict);
}

}  // namespace assay::judge
