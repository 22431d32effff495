// Problems whose own program says what a submission is worth.
#include "tests/judging/fixture.h"

namespace assay::test {
namespace {

using judge::JudgeResult;
using verdict::Verdict;

judge::Problem scored_by(const std::string& script) {
  judge::Problem problem = problem_of({{"1", "1"}, {"2", "2"}});
  problem.scorer = judge::ScorerProgram{.source = in_python(script)};
  return problem;
}

const judge::Submission kFirstOnly = in_python("print(1)");

TEST_F(JudgingTest, AScorerSaysWhatASubmissionIsWorth) {
  const JudgeResult result = judge(scored_by(R"(
import json, sys
all = json.load(sys.stdin)
passed = [c for t in all["tasks"] for c in t["results"] if c["status"] == "AC"]
print(json.dumps({"score": 7 * len(passed), "message": all["submissionId"], "breakdown": {"x": 1}}))
)"),
                                   kFirstOnly);
  EXPECT_EQ(result.letters, "WA");
  EXPECT_EQ(result.score, 7);
  EXPECT_EQ(result.summary.total_score, 7);
  ASSERT_TRUE(result.script);
  EXPECT_EQ(result.script->message, "s");
  EXPECT_EQ(result.script->breakdown, R"({"x":1})");
}

TEST_F(JudgingTest, AScorerThatFailsIsTheJudgesFault) {
  const std::pair<const char*, const char*> bad[] = {
      {"print('nonsense')", "the scorer's answer is no JSON"},
      {"import sys; sys.exit(3)", "the scorer exited with 3: "},
      {"import os; os.abort()", "the scorer crashed: "},
      {"print('x' * 1000000)", "the scorer's answer is no JSON"},
  };
  for (const auto& [script, complaint] : bad) {
    const JudgeResult result = judge(scored_by(script), kFirstOnly);
    EXPECT_EQ(result.letters, "JE") << script;
    EXPECT_EQ(result.message, complaint) << script;
    EXPECT_EQ(result.status, judge::JudgeStatus::Finished);
    EXPECT_EQ(result.score, 0);
  }
}

TEST_F(JudgingTest, AScorerHasLimitsOfItsOwn) {
  judge::Problem problem = scored_by("while True: pass");
  problem.scorer->limits.cpu_time = 200ms;
  const JudgeResult result = judge(problem, kFirstOnly);
  EXPECT_EQ(result.letters, "JE");
  EXPECT_EQ(result.message, "the scorer exceeded its limits");
}

TEST_F(JudgingTest, AScorerThatDoesNotCompileIsRefused) {
  judge::Problem problem = problem_of({{"1", "1"}});
  problem.scorer = judge::ScorerProgram{.source = in_c("int main(void) { return x; }")};
  const auto refused = try_judge(problem, kFirstOnly);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().context.starts_with("the scorer does not compile"));
}

}  // namespace
}  // namespace assay::test
