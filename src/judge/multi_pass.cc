// A test of a multi-pass problem: the program runs anew on whatever the validator makes of its
// output, until the validator wants no more. The last pass decides; time and memory are those of
// the worst.
#include <fmt/format.h>

#include <algorithm>

#include "judge/soft_limit.h"
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

void TestWork::note_slow(const TestRun& run, std::string name, std::optional<SlowRun>& slow) const {
  if (slow || !run.declared.cpu_time) return;
  if (judge_times(run.facts, run.declared, policy).verdict == Verdict::Accepted) return;
  slow.emplace().name = std::move(name);
  slow->run.facts = run.facts;
  slow->run.declared = run.declared;
}

bool TestWork::goes_on_after(const std::optional<SlowRun>& slow) const {
  return !slow || options.soft.thousandths > Factor{}.thousandths;
}

void TestWork::judge_slow(const std::optional<SlowRun>& slow, TestResult& result) const {
  if (slow && apply_declared_limit(slow->run, policy, options.soft, result) && !slow->name.empty())
    result.message = fmt::format("{}: {}", slow->name, result.message);
}

Result<Attempt> TestWork::all_passes(std::size_t index, Cancellation& cancellation) const {
  ProblemTest test = problem.tests[index];
  Attempt before;
  Passing passing;
  std::optional<SlowRun> slow;
  for (unsigned pass = 1;; ++pass) {
    TestRun run;
    passing.next_input.reset();
    Attempt now = TRY(run_and_check(index, test, run, &passing, cancellation));
    note_time(run, now);
    keep_worst(before, now);
    TestResult& result = now.result;
    const std::string name = pass > 1 ? fmt::format("pass {}", pass) : "";
    if (!name.empty() && !result.message.empty())
      result.message = fmt::format("{}: {}", name, result.message);
    note_slow(run, name, slow);
    const bool more = passing.next_input && result.verdict == Verdict::Accepted &&
                      goes_on_after(slow) && !cancellation.is_cancelled();
    if (more && pass == problem.passes) {
      say(result, Verdict::JudgeFailed,
          fmt::format("the validator asks for pass {}, and there are at most {}", pass + 1, pass));
      result.share = result.score = 0;
      return now;
    }
    if (!more) {
      judge_slow(slow, result);
      return now;
    }
    test.input = {.text = *std::move(passing.next_input)};
    before = std::move(now);
  }
}

}  // namespace assay::judge
