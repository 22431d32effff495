// What Normal-OJ's orchestrator prints about an interactive run: one JSON object per test.
#pragma once

#include <string>

#include "judge/judge_result.h"

namespace assay::wire {

// Of both sides together: wall time, and the larger peak in KiB; -1: unknown.
struct NojUsage {
  std::int64_t milliseconds = 0;
  std::int64_t kibibytes = -1;
};
NojUsage noj_usage(const judge::TestResult& test);

void append_noj_result(std::string& out, const judge::TestResult& test);

}  // namespace assay::wire
