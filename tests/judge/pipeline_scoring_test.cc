#include <gtest/gtest.h>

#include "judge/scoring.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

verdict::Policy policy() {
  return verdict::load_policy(ASSAY_SOURCE_DIR "/policies", "assay").value();
}

struct Story {
  Problem problem{};
  JudgeResult result{};

  void test(const std::string& subtask, Verdict verdict, std::optional<Score> score = {}) {
    problem.tests.push_back({.id = std::to_string(problem.tests.size() + 1), .subtask = subtask});
    result.tests.push_back({.id = problem.tests.back().id, .subtask = subtask, .verdict = verdict});
    scores.push_back(score);
  }

  JudgeResult judged() {
    const std::vector<double> all = worths(problem);
    for (std::size_t i = 0; i < all.size(); ++i) {
      TestResult& test = result.tests[i];
      test.letters = policy().verdicts.at(index_of(test.verdict)).letters;
      test.share = share_of(test.verdict, scores[i], all[i]);
      test.score = test.share * all[i];
    }
    sum_up(problem, policy(), result);
    return result;
  }

  std::vector<std::optional<Score>> scores{};
};

constexpr auto kHalf = Score{Score::Unit::Share, 0.5};

TEST(Scoring, TestsWithoutScoresShareAHundred) {
  Story story;
  for (int i = 0; i < 3; ++i)
    story.test("", Verdict::Accepted);
  const JudgeResult result = story.judged();
  EXPECT_EQ(result.score, 100);
  EXPECT_EQ(result.letters, "AC");
  EXPECT_EQ(result.summary.failed_test, "");
}

TEST(Scoring, TheFirstFailureNamesTheWhole) {
  Story story;
  story.test("", Verdict::Accepted);
  story.test("", Verdict::TimeLimit);
  story.test("", Verdict::WrongAnswer);
  story.test("", Verdict::Skipped);
  const JudgeResult result = story.judged();
  EXPECT_EQ(result.verdict, Verdict::TimeLimit);
  EXPECT_EQ(result.summary.failed_test, "2");
  EXPECT_EQ(result.score, 25);
  EXPECT_EQ(result.status, JudgeStatus::Finished);
}

TEST(Scoring, TheWorstIsReportedBesideTheFirstFailure) {
  Story story;
  story.test("", Verdict::WrongAnswer);
  story.test("", Verdict::TimeLimit);
  story.test("", Verdict::MemoryLimit);
  const JudgeResult result = story.judged();
  EXPECT_EQ(result.letters, "WA");
  EXPECT_EQ(result.summary.worst, "TLE");
  Story right;
  right.test("", Verdict::Accepted);
  EXPECT_EQ(right.judged().summary.worst, "AC");
}

TEST(Scoring, APartlyRightAnswerNamesTheWholeOnlyWhereNoneIsWrong) {
  Story story;
  story.test("", Verdict::PartiallyCorrect);
  story.test("", Verdict::WrongAnswer);
  story.test("", Verdict::Skipped);
  const JudgeResult wrong = story.judged();
  EXPECT_EQ(wrong.letters, "WA");
  EXPECT_EQ(wrong.summary.failed_test, "2");
  Story partly;
  partly.test("", Verdict::Accepted);
  partly.test("", Verdict::PartiallyCorrect);
  const JudgeResult half = partly.judged();
  EXPECT_EQ(half.letters, "PC");
  EXPECT_EQ(half.summary.failed_test, "2");
}

// But a judging failed only if we did (C-24).
TEST(Scoring, AJudgeThatFailedAnywhereMakesTheWholeItsFailure) {
  Story story;
  story.test("", Verdict::WrongAnswer);
  story.test("", Verdict::JudgeFailed);
  EXPECT_EQ(story.judged().letters, "JE");
  EXPECT_EQ(story.judged().status, JudgeStatus::Finished);
  Story ours;
  ours.test("", Verdict::WrongAnswer);
  ours.test("", Verdict::SystemError);
  EXPECT_EQ(ours.judged().letters, "SE");
  EXPECT_EQ(ours.judged().status, JudgeStatus::Failed);
}

TEST(Scoring, WrittenScoresReplaceTheEqualParts) {
  Story story;
  story.test("", Verdict::Accepted);
  story.test("", Verdict::Accepted);
  story.problem.tests[0].score = 7;
  EXPECT_EQ(story.judged().score, 7);
}

TEST(Scoring, AllIsAllOrNothingMinIsTheWorstAndSumIsEach) {
  Story story;
  story.problem.subtasks = {{.id = "all", .score = 10},
                            {.id = "min", .score = 20, .rule = SubtaskRule::Min},
                            {.id = "sum", .score = 40, .rule = SubtaskRule::Sum}};
  for (const Subtask& subtask : story.problem.subtasks) {
    story.test(subtask.id, Verdict::Accepted);
    story.test(subtask.id, Verdict::PartiallyCorrect, kHalf);
  }
  const JudgeResult result = story.judged();
  ASSERT_EQ(result.subtasks.size(), 3U);
  EXPECT_EQ(result.subtasks[0].score, 0);
  EXPECT_EQ(result.subtasks[1].score, 10);
  EXPECT_EQ(result.subtasks[2].score, 30);
  EXPECT_EQ(result.score, 40);
  EXPECT_EQ(result.verdict, Verdict::PartiallyCorrect);
}

// As an ICPC validator does with 42 and a score.txt.
TEST(Scoring, AllOrNothingIsNothingForAnAcceptedTestWithoutAllItsPoints) {
  for (const auto& [points, score] : {std::pair{0.0, 0.0}, {49.0, 0.0}, {50.0, 101.0}}) {
    Story story;
    story.problem.subtasks = {{.id = "all", .score = 100},
                              {.id = "next", .score = 1, .depends_on = {"all"}}};
    story.test("all", Verdict::Accepted);
    story.test("all", Verdict::Accepted, Score{Score::Unit::Points, points});
    story.test("next", Verdict::Accepted);
    const JudgeResult result = story.judged();
    EXPECT_EQ(result.score, score) << points;
    EXPECT_EQ(result.subtasks[0].solved, score > 0) << points;
    EXPECT_EQ(result.verdict, Verdict::Accepted);
  }
}

TEST(Scoring, ASubtaskIsWorthNothingUntilAllItDependsOnIsSolved) {
  Story story;
  story.problem.subtasks = {{.id = "c", .score = 1, .depends_on = {"b"}},
                            {.id = "b", .score = 10, .depends_on = {"a"}},
                            {.id = "a", .score = 100, .rule = SubtaskRule::Sum}};
  story.test("a", Verdict::Accepted);
  story.test("a", Verdict::WrongAnswer);
  story.test("b", Verdict::Accepted);
  story.test("c", Verdict::Accepted);
  const JudgeResult result = story.judged();
  EXPECT_EQ(result.score, 50);
  EXPECT_FALSE(result.subtasks[0].solved);
  EXPECT_FALSE(result.subtasks[1].solved);
}

TEST(Scoring, PointsOfACheckerCountAgainstWhatTheTestIsWorth) {
  EXPECT_EQ(share_of(Verdict::PartiallyCorrect, Score{Score::Unit::Points, 5}, 20), 0.25);
  EXPECT_EQ(share_of(Verdict::PartiallyCorrect, Score{Score::Unit::Points, 50}, 20), 1);
  EXPECT_EQ(share_of(Verdict::PartiallyCorrect, Score{Score::Unit::Points, 5}, 0), 0);
  EXPECT_EQ(share_of(Verdict::Accepted, Score{Score::Unit::Points, 5}, 0), 1);
  EXPECT_EQ(share_of(Verdict::PartiallyCorrect, std::nullopt, 20), 0);
  EXPECT_EQ(share_of(Verdict::WrongAnswer, kHalf, 20), 0);
}

TEST(Scoring, TestsOutsideOfSubtasksAreWorthNothingUnlessTheySaySo) {
  Story story;
  story.problem.subtasks = {{.id = "a", .score = 100}};
  story.test("", Verdict::Accepted);
  story.test("a", Verdict::Accepted);
  EXPECT_EQ(story.judged().score, 100);
}

// Each way through the dependencies was walked, and every subtask doubles their number: 28 of them
// took 17 s, which could not be cancelled and began anew after a restart.
TEST(Scoring, EveryDependencyIsLookedAtOnce) {
  for (const Verdict first : {Verdict::Accepted, Verdict::WrongAnswer}) {
    Story story;
    for (int i = 0; i < 300; ++i) {
      const std::string id = std::to_string(i);
      story.problem.subtasks.push_back({.id = id, .score = 1});
      for (int back = 1; back <= std::min(i, 2); ++back)
        story.problem.subtasks.back().depends_on.insert(
            story.problem.subtasks.back().depends_on.end(), 2, std::to_string(i - back));
      story.test(id, i == 0 ? first : Verdict::Accepted);
    }
    ASSERT_TRUE(check_problem(story.problem));
    const JudgeResult result = story.judged();
    EXPECT_EQ(result.score, first == Verdict::Accepted ? 300 : 0);
    EXPECT_EQ(result.subtasks.back().id, "299");
    EXPECT_EQ(result.subtasks.back().solved, first == Verdict::Accepted);
  }
}

Status checked(std::vector<Subtask> subtasks) {
  Problem problem;
  for (const Subtask& subtask : subtasks)
    problem.tests.push_back({.id = subtask.id, .subtask = subtask.id});
  problem.subtasks = std::move(subtasks);
  return check_problem(problem);
}

TEST(Scoring, SubtasksThatDependOnThemselvesAreRefused) {
  EXPECT_EQ(checked({{.id = "a", .depends_on = {"a"}}}).error().context,
            "subtask 'a' depends on itself");
  EXPECT_EQ(checked({{.id = "a"},
                     {.id = "b", .depends_on = {"a", "d"}},
                     {.id = "c", .depends_on = {"b", "a"}},
                     {.id = "d", .depends_on = {"c"}}})
                .error()
                .context,
            "subtask 'b' depends on itself");
  EXPECT_EQ(checked({{.id = "a", .depends_on = {"x"}}}).error().context,
            "subtask 'a' depends on 'x', which does not exist");
  EXPECT_TRUE(checked(
      {{.id = "a", .depends_on = {"b", "c"}}, {.id = "b", .depends_on = {"c"}}, {.id = "c"}}));
}

TEST(Scoring, DependenciesAreCounted) {
  std::vector<Subtask> subtasks{{.id = "a"}, {.id = "b"}};
  subtasks[1].depends_on.assign(kMostDependencies, "a");
  EXPECT_TRUE(checked(subtasks));
  subtasks[1].depends_on.emplace_back("a");
  EXPECT_EQ(checked(subtasks).error().context, "the subtasks have more than 100000 dependencies");
}

}  // namespace
}  // namespace assay::judge
