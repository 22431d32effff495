// A test of a multi-pass problem: the program runs anew on whatever the validator makes of its
// output, until the validator wants no more. The last pass decides; time and memory are those of
// the worst.
#include <fmt/format.h>

#include <algorithm>

#include "judge/test_work.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

}  // namespace

void keep_worst(const Attempt& before, Attempt& now) {
  now.near = now.near || before.near;
  now.result.time = std::max(now.result.time, before.result.time);
  now.result.wall = std::max(now.result.wall, before.result.wall);
  now.result.memory = std::max(now.result.memory, before.result.memory);
  now.result.sanitizer_report = now.result.sanitizer_report || before.result.sanitizer_report;
}

Result<Attempt> TestWork::all_passes(std::size_t index, Cancellation& cancellation) const {
  ProblemTest test = problem.tests[index];
  Attempt before;
  for (unsigned pass = 1;; ++pass) {
    std::optional<std::string> next;
    Attempt now = TRY(run_and_check(index, test, next, cancellation));
    keep_worst(before, now);
    TestResult& result = now.result;
    if (pass > 1 && !result.message.empty())
      result.message = fmt::format("pass {}: {}", pass, result.message);
    if (!next || result.verdict != Verdict::Accepted || cancellation.is_cancelled()) return now;
    if (pass == problem.passes) {
      say(result, Verdict::JudgeFailed,
          fmt::format("the validator asks for pass {}, and there are at most {}", pass + 1, pass));
      result.share = result.score = 0;
      return now;
    }
    test.input = {.text = *std::move(next)};
    before = std::move(now);
  }
}

}  // namespace assay::judge
