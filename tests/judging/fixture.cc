#include "tests/judging/fixture.h"

#include <atomic>
#include <latch>
#include <thread>

#include "judge/compare_names.h"
#include "tests/support/places.h"

namespace assay::test {

const judge::LanguageSet& JudgingTest::languages() {
  static const judge::LanguageSet set = judge::load_languages(tried_data() + "/languages").value();
  return set;
}

const judge::ProfileLimits& JudgingTest::profiles() {
  static const judge::ProfileLimits limits =
      judge::load_profile_limits(tried_data() + "/profiles", languages()).value();
  return limits;
}

const judge::Unpacker& JudgingTest::unpacker() {
  static const judge::Unpacker unpacker =
      judge::Unpacker::open(tried_programs() + "/assay-unpack").value();
  return unpacker;
}

Result<verdict::Policy> JudgingTest::scaled_policy(const std::string& name) {
  auto rules = verdict::load_policy(tried_data() + "/policies", name);
  if (!rules) return rules;
  for (auto* time : {&rules->compile.cpu_time, &rules->compile.wall_time})
    if (*time) *time = scaled(**time);
  return rules;
}

Result<judge::JudgeResult> JudgingTest::try_judge(const judge::Problem& problem,
                                                  const judge::Submission& submission,
                                                  const judge::JudgeOptions& options,
                                                  const judge::JudgeEvents& events) {
  auto rules = scaled_policy(policy);
  if (compile_limits) rules->compile = *compile_limits;
  const judge::Judge judge(engine(), languages(), profiles(), *rules, {.unpacker = &unpacker()});
  return judge.judge(problem, submission, options, events, cancellation_);
}

judge::JudgeResult JudgingTest::judge(const judge::Problem& problem,
                                      const judge::Submission& submission,
                                      const judge::JudgeOptions& options,
                                      const judge::JudgeEvents& events) {
  auto result = try_judge(problem, submission, options, events);
  if (result) return *std::move(result);
  ADD_FAILURE() << describe(result.error());
  return {};
}

judge::JudgeResult JudgingTest::judge_until_said(const judge::Problem& problem,
                                                 const judge::Submission& submission) {
  std::latch said(1);
  std::atomic_flag once;
  std::jthread canceller([&] {
    said.wait();
    cancellation_.cancel();
  });
  const auto note = [&] {
    if (!once.test_and_set()) said.count_down();
  };
  const judge::JudgeEvents events{.said = [&](std::size_t, const exec::Remark&) {
    note();
  }};
  judge::JudgeResult result = judge(problem, submission, {.dialogue = 1_KiB}, events);
  EXPECT_TRUE(once.test()) << "nobody said anything";
  note();
  return result;
}

judge::Submission in_c(const std::string& source) {
  return {.id = "s", .language = "c", .sources = {{"", source}}};
}

judge::Submission in_python(const std::string& source) {
  return {.id = "s", .language = "python3", .sources = {{"", source}}};
}

judge::Problem problem_of(const std::vector<std::pair<std::string, std::string>>& tests) {
  judge::Problem problem{.limits = {.cpu_time = scaled(1s), .memory = 128_MiB},
                         .checker = judge::comparison_named("tokens").value()};
  for (const auto& [input, answer] : tests)
    problem.tests.push_back({.id = std::to_string(problem.tests.size() + 1),
                             .input = {.text = input},
                             .answer = {.text = answer}});
  return problem;
}

std::string letters(const judge::JudgeResult& result) {
  std::string all;
  for (const judge::TestResult& test : result.tests)
    all += (all.empty() ? "" : " ") + test.letters;
  return all;
}

}  // namespace assay::test
