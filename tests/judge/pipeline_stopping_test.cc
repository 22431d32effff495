#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <semaphore>

#include "judge/stopping.h"
#include "judge/testing.h"

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

Skipped skipped_tests(const Problem& problem, StopRule stop, const Known& known) {
  return Stopping(problem, stop).skipped_tests(known);
}
Skipped doubtful_tests(const Problem& problem, StopRule stop, const Known& known) {
  return Stopping(problem, stop).doubtful_tests(known);
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

// Each depends on the next, so that passes over all of them until nothing changes were as many as
// there are: a minute after every test, with these.
TEST(Stopping, ALongChainOfSubtasksIsFollowedAtOnce) {
  Problem problem;
  constexpr int kCount = 10'000;
  for (int i = 0; i < kCount; ++i) {
    const std::string id = "s" + std::to_string(i);
    problem.tests.push_back({.id = id, .subtask = id});
    problem.subtasks.push_back({.id = id});
    if (i + 1 < kCount) problem.subtasks.back().depends_on.assign(2, "s" + std::to_string(i + 1));
  }
  ASSERT_TRUE(check_problem(problem));
  const Stopping stopping(problem, StopRule::Group);
  Known known(kCount);
  known.back() = kWrong;
  Skipped expected(kCount, true);
  expected.back() = false;
  for (int round = 0; round < 20; ++round)
    ASSERT_EQ(stopping.skipped_tests(known), expected);
}

TEST(Stopping, ATestIsDoubtfulAsLongAsAnEarlierOneMayFail) {
  EXPECT_EQ(doubtful_tests(plain(4), StopRule::First, Known{kRight, {}, kRight, {}}),
            (Skipped{false, false, true, true}));
  EXPECT_EQ(doubtful_tests(plain(2), StopRule::None, Known{{}, kRight}), Skipped(2, false));
}

// The second worker comes to the last test when it is done with the one before.
std::vector<std::size_t> told_when_the_first_ends_last(StopRule stop, Verdict first) {
  const Problem problem = plain(3);
  std::binary_semaphore second_done(0);
  std::vector<std::size_t> told;
  Cancellation cancellation;
  run_tests({.problem = problem,
             .stop = stop,
             .workers = 2,
             .test =
                 [&](std::size_t index, Cancellation&) {
                   if (index == 0) second_done.acquire();
                   if (index == 2) second_done.release();
                   return TestResult{.verdict = index == 0 ? first : Verdict::Accepted};
                 },
             .tested =
                 [&](std::size_t index, const TestResult&) {
                   told.push_back(index);
                 }},
            cancellation);
  return told;
}

TEST(Testing, TellsOnlyOfTestsThatCount) {
  using Told = std::vector<std::size_t>;
  EXPECT_EQ(told_when_the_first_ends_last(StopRule::First, Verdict::WrongAnswer), Told{0});
  EXPECT_EQ(told_when_the_first_ends_last(StopRule::First, Verdict::Accepted), (Told{0, 1, 2}));
  EXPECT_EQ(told_when_the_first_ends_last(StopRule::None, Verdict::WrongAnswer).front(), 1U);
}

constexpr std::size_t kFull = kLogLimit.count + 43;  // with how many bytes are missing

// How long the logs of each test are that fill what they may.
std::vector<std::size_t> filled_logs_of(std::size_t tests) {
  const Problem problem = plain(tests);
  const std::string much(kFull, 'x');
  Cancellation cancellation;
  const auto results = run_tests(
      {.problem = problem,
       .stop = StopRule::None,
       .workers = 2,
       .test =
           [&](std::size_t, Cancellation&) {
             return TestResult{
                 .verdict = Verdict::Accepted, .output = much, .errors = much, .checker_log = much};
           }},
      cancellation);
  std::vector<std::size_t> lengths;
  for (const auto& result : results)
    lengths.insert(lengths.end(),
                   {result->output.size(), result->errors.size(), result->checker_log.size()});
  return lengths;
}

TEST(Testing, LogsOfFewTestsAreKeptWhole) {
  EXPECT_EQ(filled_logs_of(40), std::vector<std::size_t>(3 * 40, kFull));
}

// 10 000 tests of a program that fills its logs were gigabytes. All are cut alike: which test ended
// first says nothing.
TEST(Testing, LogsOfManyTestsHaveABoundTogether) {
  const auto lengths = filled_logs_of(10'000);
  EXPECT_LT(std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}), kLogsTogether.count);
  EXPECT_EQ(lengths, std::vector<std::size_t>(3 * 10'000, lengths.front()));
  EXPECT_GT(lengths.front(), kLogOfMany.count);
}

TEST(Testing, TellsOfWhatRanBeforeItWasCancelled) {
  const Problem problem = plain(3);
  std::binary_semaphore second_done(0);
  std::vector<std::size_t> told;
  Cancellation cancellation;
  const auto results = run_tests(
      {.problem = problem,
       .stop = StopRule::First,
       .workers = 2,
       .test =
           [&](std::size_t index, Cancellation&) {
             if (index == 0) second_done.acquire();
             if (index == 2) second_done.release();
             if (index == 2) cancellation.cancel();
             return TestResult{.verdict = index == 1 ? Verdict::Accepted : Verdict::Skipped};
           },
       .tested =
           [&](std::size_t index, const TestResult&) {
             told.push_back(index);
           }},
      cancellation);
  EXPECT_EQ(told.size(), 3U);
  EXPECT_TRUE(results[1]);
}

}  // namespace
}  // namespace assay::judge
