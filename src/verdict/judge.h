// Facts and a policy in, a verdict out. Pure: the same facts can be judged again under another
// policy.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/units.h"
#include "sandbox/facts.h"
#include "verdict/policy.h"
#include "verdict/verdict.h"

namespace assay::verdict {

struct Judgement {
  Verdict verdict = Verdict::SystemError;
  std::string letters{};
  std::string reason{};  // one short sentence: "used 1.003 s of CPU time, limit 1.000 s"
  Nanoseconds reported_time{};
  std::string name{};  // whole, in the policy's words: "Time Limit Exceeded"
  std::optional<int> code{};
  bool operator==(const Judgement&) const = default;
};

// What one run alone says. Accepted means that nothing went wrong; the output is for a checker to
// judge.
Judgement judge(const sandbox::Facts& facts, const Policy& policy);

// What its times alone say under limits that were not the ones enforced: Accepted when it kept
// them, else TimeLimit or the policy's word for waiting. By the policy's soft comparison, where it
// has one.
Judgement judge_times(const sandbox::Facts& facts, const sandbox::Limits& declared,
                      const Policy& policy);

// The worst by submission.order. Letters that it does not list are worse than all it lists, except
// those of a skipped test, which then say nothing. Of no verdicts at all: Skipped.
Verdict worst(std::span<const Verdict> verdicts, const Policy& policy);

}  // namespace assay::verdict
