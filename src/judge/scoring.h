// From the verdicts of the tests to points and one verdict. Pure.
#pragma once

#include <vector>

#include "judge/checker.h"
#include "judge/judge_result.h"
#include "judge/problem.h"
#include "verdict/policy.h"

namespace assay::judge {

// What each test is worth: what it says; else an equal part of its subtask's score; else, where no
// test and no subtask says anything, an equal part of 100; else nothing. A subtask in which a test
// says something leaves the others nothing.
std::vector<double> worths(const Problem& problem);

// Whether the scores of subtasks, or of tests without any, add up to what the policy asks for.
Status check_scores(const Problem& problem, const verdict::Policy& policy);

// The part of it that an output earned, 0 to 1.
double share_of(verdict::Verdict verdict, const std::optional<Score>& score, double worth);

// Fills the scores of the tests and subtasks, the summary and the verdict of the whole. A test that
// failed through our or the problem's fault makes the whole so: its score could not be trusted.
void sum_up(const Problem& problem, const verdict::Policy& policy, JudgeResult& result);

}  // namespace assay::judge
