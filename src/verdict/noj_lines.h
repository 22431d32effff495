// What Normal-OJ's result file says about a run: four lines, decided as the original decides. Pure.
#pragma once

#include <chrono>
#include <string>

#include "sandbox/facts.h"

namespace assay::verdict {

struct NojLimits {
  std::chrono::milliseconds time{};
  Bytes memory{};
};
constexpr std::chrono::milliseconds kNojWatcherExtra{300};  // past the time limit it kills

// status / how it ended / user CPU time in ms / peak memory in KB
std::string noj_lines(const sandbox::Facts& facts, const NojLimits& limits);

// Of a run that we failed to make.
std::string noj_failure_lines();

}  // namespace assay::verdict
