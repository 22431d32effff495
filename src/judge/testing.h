// Runs the tests of a problem on some threads. Private to the pipeline.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "judge/cancellation.h"
#include "judge/judge_result.h"
#include "judge/problem.h"

namespace assay::judge {

using TestFunction = std::function<TestResult(std::size_t index, Cancellation& cancellation)>;
using TestWatcher = std::function<void(std::size_t index, const TestResult&)>;

struct Testing {
  const Problem& problem;
  StopRule stop = StopRule::None;
  unsigned workers = 1;
  std::vector<unsigned> cores{};  // see JudgeOptions
  TestFunction test{};
  TestWatcher tested{};  // one call at a time, of tests that count; may be empty
};

// By index. Nothing: skipped. Tests are begun in their order; one that turns out not to count is
// stopped, and its result forgotten.
std::vector<std::optional<TestResult>> run_tests(const Testing& testing,
                                                 Cancellation& cancellation);

}  // namespace assay::judge
