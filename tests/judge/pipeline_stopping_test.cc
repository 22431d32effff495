#include <gtest/gtest.h>

#include <algorithm>

#include "judge/stopping.h"

namespace assay::judge {
namespace {

using verdict::Verdict;
using Known = std::vector<std::optional<Verdict>>;
using Skipped = std::vector<bool>;

constexpr auto kRight = Verdict::Accepted;
constexpr auto kWrong = Verdict::WrongAnswer;
constexpr auto kPartly = Verdict::PartiallyCorrect;

Problem plain(std::size_t count) {
  Problem problem;
  for (std::size_t i = 0; i < count; ++i)
    problem.tests.push_back({.id = std::to_string(i)});
  return problem;
}

// a: two tests; b needs a: two; c needs b: one; d alone and summed: two.
Problem grouped() {
  Problem problem;
  for (const char* subtask : {"a", "a", "b", "b", "c", "d", "d"})
    problem.tests.push_back({.id = std::to_string(problem.tests.size()), .subtask = subtask});
  problem.subtasks = {{.id = "a"},
                      {.id = "b", .depends_on = {"a"}},
                      {.id = "c", .rule = SubtaskRule::Min, .depends_on = {"b"}},
                      {.id = "d", .rule = SubtaskRule::Sum}};
  return problem;
}

TEST(Stopping, NothingIsSkippedWithoutARule) {
  const Known known{kWrong, kWrong, std::nullopt};
  EXPECT_EQ(skipped_tests(plain(3), StopRule::None, known), Skipped(3, false));
}

TEST(Stopping, AllAfterTheFirstFailureAreSkippedEvenThoseThatRan) {
  const Known known{kRight, std::nullopt, kWrong, kRight, std::nullopt};
  EXPECT_EQ(skipped_tests(plain(5), StopRule::First, known),
            (Skipped{false, false, false, true, true}));
}

TEST(Stopping, AnEarlierFailureThatComesLaterSkipsMore) {
  const Known known{kRight, kWrong, kWrong, kRight, std::nullopt};
  EXPECT_EQ(skipped_tests(plain(5), StopRule::First, known),
            (Skipped{false, false, true, true, true}));
}

TEST(Stopping, APartlyRightAnswerStopsNothingByTheFirstRule) {
  EXPECT_EQ(skipped_tests(plain(2), StopRule::First, Known{kPartly, kRight}), Skipped(2, false));
}

TEST(Stopping, AFailedSubtaskSkipsItsRestAndAllThatDependOnIt) {
  const Known known{kWrong, kRight, kRight, kRight, std::nullopt, kRight, std::nullopt};
  EXPECT_EQ(skipped_tests(grouped(), StopRule::Group, known),
            (Skipped{false, true, true, true, true, false, false}));
}

TEST(Stopping, ASummedSubtaskIsNeverCutShort) {
  const Known known{kRight, kRight, kRight, kRight, kRight, kWrong, std::nullopt};
  EXPECT_EQ(skipped_tests(grouped(), StopRule::Group, known), Skipped(7, false));
}

TEST(Stopping, APartlyRightAnswerSettlesASubtaskOfAllButNotOfMin) {
  const Known known{kPartly, std::nullopt, std::nullopt, std::nullopt, kPartly, kRight, kRight};
  EXPECT_EQ(skipped_tests(grouped(), StopRule::Group, known),
            (Skipped{false, true, true, true, true, false, false}));
}

// Every order in which results may come in ends with the same tests skipped.
TEST(Stopping, TheEndDoesNotDependOnTheOrderOfResults) {
  const Known all{kRight, kWrong, kWrong, kRight, kWrong, kWrong, kRight};
  std::vector<std::size_t> order{0, 1, 2, 3, 4, 5, 6};
  for (const StopRule stop : {StopRule::First, StopRule::Group}) {
    const Skipped complete = skipped_tests(grouped(), stop, all);
    do {
      Known known(all.size());
      for (const std::size_t test : order)
        if (!skipped_tests(grouped(), stop, known)[test]) known[test] = all[test];
      ASSERT_EQ(skipped_tests(grouped(), stop, known), complete);
    } while (std::ranges::next_permutation(order).found);
  }
}

}  // namespace
}  // namespace assay::judge
