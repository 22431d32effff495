// Which tests do not count because others failed. Pure, and monotone: whatever more is known, a
// test that was skipped stays so. That is why the result does not depend on who ran when.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "judge/problem.h"
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

std::vector<bool> skipped_tests(const Problem& problem, StopRule stop, KnownVerdicts known);

// Which may still be skipped, or are: would be, if all that is not known failed.
std::vector<bool> doubtful_tests(const Problem& problem, StopRule stop, KnownVerdicts known);

}  // namespace assay::judge
