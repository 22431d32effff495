// A judge with boxes of its own.
#pragma once

#include "judge/pipeline.h"
#include "tests/support/box_test.h"

namespace assay::test {

class JudgingTest : public BoxTest {
 protected:
  // It stays open for all tests, so none of them may be the one that opens it.
  void SetUp() override {
    (void)unpacker();
    BoxTest::SetUp();
  }

  static const judge::LanguageSet& languages();
  static const judge::ProfileLimits& profiles();
  static const judge::Unpacker& unpacker();

  Result<judge::JudgeResult> try_judge(const judge::Problem& problem,
                                       const judge::Submission& submission,
                                       const judge::JudgeOptions& options = {},
                                       const judge::JudgeEvents& events = {});
  // An Error fails the test.
  judge::JudgeResult judge(const judge::Problem& problem, const judge::Submission& submission,
                           const judge::JudgeOptions& options = {},
                           const judge::JudgeEvents& events = {});
  // Cancelled when the first of its programs has said something.
  judge::JudgeResult judge_until_said(const judge::Problem& problem,
                                      const judge::Submission& submission);
  // What it gives to compilers is for a machine of usual speed.
  static Result<verdict::Policy> scaled_policy(const std::string& name);
  judge::Cancellation& cancellation() { return cancellation_; }
  std::string policy = "assay";
  std::optional<sandbox::Limits> compile_limits{};  // instead of the policy's

 private:
  judge::Cancellation cancellation_;
};

judge::Submission in_c(const std::string& source);
judge::Submission in_python(const std::string& source);

// Tests "1", "2", … with these inputs and answers.
judge::Problem problem_of(const std::vector<std::pair<std::string, std::string>>& tests);

std::string letters(const judge::JudgeResult& result);  // "AC WA SKIPPED"

}  // namespace assay::test
