// Which tests do not count because others failed. Pure, and monotone: whatever more is known, a
// test that was skipped stays so. That is why the result does not depend on who ran when.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/problem.h"
#include "judge/subtask_order.h"
#include "verdict/policy.h"
#include "verdict/verdict.h"

namespace assay::judge {

// Whoever asks, else the problem, else the policy.
StopRule stop_rule(const std::optional<StopRule>& asked, const Problem& problem,
                   const verdict::Policy& policy);

// Whether it is worth nothing more to go on where every test counts so.
bool is_failure(verdict::Verdict verdict, SubtaskRule rule);

// By test; nothing: not known yet.
using KnownVerdicts = std::span<const std::optional<verdict::Verdict>>;

// Knows the order of the subtasks, so that each answer takes as long as the problem is large: there
// is one after every test.
class Stopping {
 public:
  Stopping(const Problem& problem, StopRule stop);  // the problem is borrowed, and checked

  [[nodiscard]] std::vector<bool> skipped_tests(KnownVerdicts known) const;

  // Which may still be skipped, or are: would be, if all that is not known failed.
  [[nodiscard]] std::vector<bool> doubtful_tests(KnownVerdicts known) const;

 private:
  [[nodiscard]] std::vector<bool> by_group(KnownVerdicts known) const;

  const Problem& problem_;
  const StopRule stop_;
  SubtaskOrder subtasks_{};                           // Group only, as is the next
  std::vector<std::optional<std::size_t>> groups_{};  // of each test, the place of its subtask
};

}  // namespace assay::judge
