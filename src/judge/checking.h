// Judges the output of an accepted run: by a comparison, or by the problem's program in a box of
// its own.
#pragma once

#include "judge/cancellation.h"
#include "judge/checker.h"
#include "judge/compiler.h"
#include "judge/problem.h"
#include "judge/test_run.h"

namespace assay::judge {

struct CheckOrder {
  const Checker& checker;
  const Program* program = nullptr;  // of a CheckerProgram
  const ProblemTest& test;
  const TestRun& run;
  const ProfileLimits& profiles;
  sandbox::Limits problem{};  // its limits for this test
};

struct Checked {
  CheckResult result{};
  std::string log{};  // what the program said, both streams, cut
};

// An Error is ours. Whatever the checker does wrong is a JudgeFailed.
Result<Checked> check(sandbox::Sandbox& engine, const CheckOrder& order,
                      Cancellation& cancellation);

}  // namespace assay::judge
