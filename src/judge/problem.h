// A batch problem: tests, limits, how an output is checked and what it is worth. A value; where it
// came from is somebody else's business (native_problem.h reads it from a directory).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "judge/compare.h"
#include "judge/content.h"
#include "judge/protocol.h"
#include "judge/submission.h"
#include "sandbox/spec.h"

namespace assay::judge {

struct ProblemTest {
  std::string id{};
  Content input{};
  Content answer{};
  std::optional<double> score{};
  std::string subtask{};     // its id; empty: none
  sandbox::Limits limits{};  // instead of the problem's
};

// All: everything or nothing. Sum: what the tests are worth together. Min: as much as the worst.
// Script: what the problem's scorer says; it is told the sum.
enum class SubtaskRule { All, Sum, Min, Script };

struct Subtask {
  std::string id{};
  double score = 0;
  SubtaskRule rule = SubtaskRule::All;
  std::vector<std::string> depends_on{};  // solved whole, or this one is worth nothing
};

// Which tests need not run after a failure. First: all later ones. Group: those later in the same
// subtask, unless its rule is Sum, and all of the subtasks that depend on it.
enum class StopRule { None, First, Group };

enum class IoMode { Stdio, FileIo };

// A program of the problem's author.
struct CheckerProgram {
  Submission source{};
  Protocol protocol = Protocol::Testlib;
  std::vector<std::string> arguments{};
  sandbox::Limits limits{};  // its own
};
using Checker = std::variant<Comparison, CheckerProgram>;

// Says what the whole submission is worth, after all tests. See scorer.h.
struct ScorerProgram {
  Submission source{};
  sandbox::Limits limits{};  // its own
};

struct Problem {
  IoMode io_mode = IoMode::Stdio;
  std::string input_file{}, output_file{};  // FileIo only
  sandbox::Limits limits{};
  Checker checker{};
  std::vector<ProblemTest> tests{};
  std::vector<Subtask> subtasks{};
  std::optional<ScorerProgram> scorer{};
  std::optional<StopRule> stop{};  // none: as the policy says
};

std::optional<StopRule> stop_rule_named(std::string_view name);

// Whether it can be judged at all; one sentence if not.
Status check_problem(const Problem& problem);

}  // namespace assay::judge
