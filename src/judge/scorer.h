// A problem's own program that says what a submission is worth: it reads the results as JSON and
// answers {"score": …, "message": …, "breakdown": …}. The JSON is Normal-OJ's, with the ids of
// tests and subtasks beside its numbers.
#pragma once

#include <map>
#include <string>

#include "judge/cancellation.h"
#include "judge/compiler.h"
#include "judge/problem.h"
#include "judge/test_limits.h"

namespace assay::judge {

// What the scorer reads. `result` is summed up already.
std::string scorer_input(const Problem& problem, const JudgeResult& result);

struct ScorerAnswer {
  ScriptScore said{};
  double score = 0;
  bool is_whole = true;                      // written as a whole number
  std::map<std::string, double> subtasks{};  // numbers of the breakdown, by subtask
};
// An InvalidRequest says why it is no answer. As in Normal-OJ a score that is no number counts 0.
Result<ScorerAnswer> read_scorer_answer(std::string_view text);

// The answer's scores take the place of those that were summed up; the whole is 0 where the policy
// wants whole numbers and this is none. An InvalidRequest: it leaves out a subtask whose rule is
// Script.
Status apply_scorer_answer(const Problem& problem, const ScorerAnswer& answer,
                           const verdict::Policy& policy, JudgeResult& result);

struct ScorerOrder {
  const Problem& problem;
  const Program& program;
  const ProfileLimits& profiles;
  const verdict::Policy& policy;
};
// The answer, or one sentence about what the scorer did wrong. An Error is ours.
struct Scored {
  ScorerAnswer answer{};
  std::string complaint{};  // empty: there is an answer
};
Result<Scored> run_scorer(sandbox::Sandbox& engine, const ScorerOrder& order,
                          const JudgeResult& result, Cancellation& cancellation);

}  // namespace assay::judge
