// One run of a program on one test, in a box of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "judge/cancellation.h"
#include "judge/compiler.h"
#include "judge/problem.h"
#include "judge/test_files.h"
#include "judge/test_limits.h"
#include "verdict/judge.h"

namespace assay::judge {

struct TestOrder {
  const Program& program;
  const Problem& problem;
  const ProblemTest& test;
  const sandbox::Limits& request;  // limits of whoever asks, before the problem's
  const ProfileLimits& profiles;
  const verdict::Policy& policy;
  Allowance allowance{};
  std::span<const std::string> arguments{};      // of the program
  std::string_view input_file{}, output_file{};  // instead of the problem's, or of stdin and stdout
  const TestFiles* files = nullptr;              // null: none
};

struct TestRun {
  sandbox::Facts facts{};
  sandbox::Limits declared{};      // the times that decide, where the enforced ones are longer
  verdict::Judgement judgement{};  // Accepted: the output is for a checker to judge
  os::OwnedFd input{};             // as the program had it, at its start
  Content output{};                // its stdout or its file
  Bytes output_size{};
  std::string shown{};   // of the output, cut
  std::string errors{};  // cut
};

// The program without its streams and files for this test. Of the run its declared times are set.
sandbox::Spec program_spec(const TestOrder& order, TestRun& run);
// What the facts alone say, and what the runtime itself said of its memory.
void judge_facts(const TestOrder& order, TestRun& run);

Result<TestRun> run_test(sandbox::Sandbox& engine, const TestOrder& order,
                         Cancellation& cancellation);

}  // namespace assay::judge
