// Judges the output of an accepted run: by a comparison, or by the problem's program in a box of
// its own.
#pragma once

#include "judge/cancellation.h"
#include "judge/checker.h"
#include "judge/compiler.h"
#include "judge/feedback.h"
#include "judge/problem.h"
#include "judge/test_run.h"

namespace assay::judge {

// What a multi-pass problem's validator hands on from pass to pass.
struct Passing {
  std::vector<PassedFile> feedback{};       // all that it has left but nextpass.in
  std::optional<std::string> next_input{};  // of the next pass, when there is to be one
};

struct CheckOrder {
  const Checker& checker;
  const Program* program = nullptr;  // of a CheckerProgram
  const ProblemTest& test;
  const TestRun& run;
  const ProfileLimits& profiles;
  const verdict::Policy& policy;
  sandbox::Limits problem{};   // its limits for this test
  Passing* passing = nullptr;  // of a multi-pass problem: the checker may ask for another pass
};

struct Checked {
  CheckResult result{};
  std::string log{};  // what the program said, both streams, cut
};

// An Error is ours. Whatever the checker does wrong is a JudgeFailed.
Result<Checked> check(sandbox::Sandbox& engine, const CheckOrder& order,
                      Cancellation& cancellation);

}  // namespace assay::judge
