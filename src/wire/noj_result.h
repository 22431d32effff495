// What Normal-OJ's orchestrator prints about an interactive run: one JSON object per test.
#pragma once

#include <string>

#include "judge/judge_result.h"

namespace assay::wire {

void append_noj_result(std::string& out, const judge::TestResult& test);

}  // namespace assay::wire
