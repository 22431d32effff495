// The scorer's side of B1.6: what it reads, and what its answer may be.
#include "judge/scorer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using verdict::Verdict;

Problem two_subtasks() {
  return {.tests = {{.id = "a", .subtask = "small"}, {.id = "b", .subtask = "large"}},
          .subtasks = {{.id = "small", .score = 40},
                       {.id = "large", .score = 60, .rule = SubtaskRule::Script}},
          .scorer = ScorerProgram{.source = {.sources = {{"", "x"}}}}};
}

JudgeResult result() {
  return {.submission_id = "s\"1",
          .score = 40,
          .language = "cpp17",
          .tests = {{.id = "a",
                     .subtask = "small",
                     .verdict = Verdict::Accepted,
                     .letters = "AC",
                     .time = 11ms,
                     .memory = 2_MiB,
                     .share = 1},
                    {.id = "b",
                     .subtask = "large",
                     .verdict = Verdict::WrongAnswer,
                     .letters = "WA",
                     .time = 20ms,
                     .memory = 1_MiB}},
          .subtasks = {{.id = "small", .score = 40, .solved = true}, {.id = "large"}}};
}

TEST(Scorer, ReadsTheResultsInNormalOjsWords) {
  const std::string text = scorer_input(two_subtasks(), result());
  for (const char* part :
       {R"("submissionId":"s\"1")", R"("languageType":1)", R"("taskIndex":0,"taskId":"small")",
        R"("caseCount":1)", R"("caseIndex":0,"testId":"b","status":"WA","runTime":20)",
        R"("memoryUsage":2048)", R"("lateSeconds":-1)", R"("staticAnalysis":null)",
        R"("maxRunTime":20,"avgRunTime":1.55E1,"sumRunTime":31)", R"("sumMemory":3072)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Scorer, KnowsTheNumbersOfNormalOjsLanguages) {
  using Number = std::pair<const char*, const char*>;
  for (const auto& [language, number] :
       {Number{"c", "0"}, Number{"c11", "0"}, Number{"cpp", "1"}, Number{"cpp20", "1"},
        Number{"python3", "2"}, Number{"csharp", R"("csharp")"}}) {
    JudgeResult judged = result();
    judged.language = language;
    const std::string text = scorer_input(two_subtasks(), judged);
    EXPECT_NE(text.find(std::string(R"("languageType":)") + number + ","), std::string::npos)
        << language << " in " << text;
  }
}

TEST(Scorer, TestsWithoutASubtaskAreATaskOfTheirOwn) {
  JudgeResult plain = result();
  plain.subtasks.clear();
  for (TestResult& test : plain.tests)
    test.subtask.clear();
  const std::string text = scorer_input({}, plain);
  EXPECT_NE(text.find(R"("taskIndex":0,"taskId":"")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("caseCount":2)"), std::string::npos) << text;
}

TEST(Scorer, WhatAProgramPrintedCannotBreakTheJson) {
  JudgeResult odd = result();
  odd.tests[0].letters = "A\"\x01\xff\n";
  const std::string text = scorer_input(two_subtasks(), odd);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(Scorer, AnAnswerHasAScoreAMessageAndABreakdown) {
  const auto answer = read_scorer_answer(
      R"({"score": 70, "message": "late\u001b[31m", "breakdown": {"large": 30}})");
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->score, 70);
  EXPECT_EQ(answer->said.message.find('\x1b'), std::string::npos);
  EXPECT_EQ(answer->said.breakdown, R"({"large":30})");
  EXPECT_EQ(answer->subtasks.at("large"), 30);
}

TEST(Scorer, AScoreThatIsNoNumberCountsNothing) {
  for (const char* text :
       {R"({"score":"10"})", R"({"score":null})", R"({"score":[1]})", R"({"score":-5})"})
    EXPECT_EQ(read_scorer_answer(text).value().score, 0) << text;
  EXPECT_EQ(read_scorer_answer(R"({"score":1e300})").value().score, 1e9);
}

TEST(Scorer, AnythingElseIsNoAnswer) {
  const std::string deep = "{\"score\":" + std::string(1000, '[') + std::string(1000, ']') + "}";
  for (const std::string& text :
       {std::string(), std::string("AC"), std::string("[1]"), std::string(R"({"score":1)"),
        std::string(R"({"points":1})"), deep})
    EXPECT_FALSE(read_scorer_answer(text)) << text.substr(0, 40);
}

// They counted 0 in silence, and went on to whoever asked as a number that is none.
TEST(Scorer, NumbersBeyondAllBoundsAreNoAnswer) {
  for (const char* text :
       {R"({"score": 1e400})", R"({"score": -1e400})", R"({"score": 1, "breakdown": {"a": 1e400}})",
        R"({"score": 1, "breakdown": {"a": [{"b": 1e999}]}})", R"({"score": 1, "more": 1e400})"}) {
    const auto answer = read_scorer_answer(text);
    ASSERT_FALSE(answer) << text;
    EXPECT_EQ(answer.error().context, "the scorer's answer has a number that is too large") << text;
  }
  EXPECT_TRUE(read_scorer_answer(R"({"score": 1, "breakdown": {"a": 1e300}})"));
}

TEST(Scorer, SubtasksForAScriptGetWhatTheBreakdownSays) {
  JudgeResult scored = result();
  ASSERT_TRUE(apply_scorer_answer(
      two_subtasks(), {.score = 70, .subtasks = {{"large", 99}, {"small", 1}}}, {}, scored));
  EXPECT_EQ(scored.subtasks[0].score, 40);  // its rule is not Script
  EXPECT_EQ(scored.subtasks[1].score, 60);  // never more than it is worth
  EXPECT_EQ(scored.score, 70);
  EXPECT_FALSE(apply_scorer_answer(two_subtasks(), {.score = 70}, {}, scored));
}

// As Normal-OJ's do.
TEST(Scorer, AScoreThatIsNotWholeIsNothingWhereThePolicyWantsWholeOnes) {
  const verdict::Policy whole{.submission = {.whole_scores = true}};
  const auto score_of = [](std::string_view text, const verdict::Policy& policy) {
    JudgeResult scored = result();
    const auto answer = read_scorer_answer(text).value();
    EXPECT_TRUE(apply_scorer_answer({}, answer, policy, scored));
    return scored.score;
  };
  EXPECT_EQ(score_of(R"({"score":49.5})", {}), 49.5);
  EXPECT_EQ(score_of(R"({"score":49.5})", whole), 0);
  EXPECT_EQ(score_of(R"({"score":50.0})", whole), 0);
  EXPECT_EQ(score_of(R"({"score":49})", whole), 49);
}

TEST(Scorer, ASubtaskForAScriptNeedsAScorer) {
  Problem problem = two_subtasks();
  EXPECT_TRUE(check_problem(problem));
  problem.scorer.reset();
  const Status refused = check_problem(problem);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "subtask 'large' is for a scorer, and there is none");
}

}  // namespace
}  // namespace assay::judge
