#include "judge/repeats.h"

#include <gtest/gtest.h>

namespace assay::judge {
namespace {

using namespace std::chrono_literals;
using verdict::Verdict;
using Counts = Repeats::Counts;

Attempt attempt(Verdict verdict, Nanoseconds time, bool near = true) {
  return {.result = {.verdict = verdict, .facts = sandbox::Facts{.cpu_total = time}}, .near = near};
}

const Repeats kFastest{.most = 2};
const Repeats kSlowest{.most = 2, .counts = Counts::Slowest};

TEST(Repeats, OnlyARunThatEndedByItselfIsNear) {
  EXPECT_TRUE(is_near({}, 1090ms, 1s, Factor{100}));
  EXPECT_TRUE(is_near({}, 910ms, 1s, Factor{100}));
  EXPECT_FALSE(is_near({}, 1101ms, 1s, Factor{100}));
  EXPECT_FALSE(is_near({}, 899ms, 1s, Factor{100}));
  EXPECT_FALSE(is_near({.cut_off_by = sandbox::CutOff::Cpu}, 1001ms, 1s, Factor{100}));
  EXPECT_FALSE(is_near({.cut_off_by = sandbox::CutOff::Wall}, 999ms, 1s, Factor{100}));
}

TEST(Repeats, GiveARunThatIsTooSlowRoomToEndOnlyWhereItMatters) {
  EXPECT_EQ(allowance_of(kFastest), Factor{1100});
  EXPECT_EQ(allowance_of(kSlowest), Factor{});
  EXPECT_EQ(allowance_of({}), Factor{});
}

TEST(Repeats, ForTheFastestGoOnWhileAllWereJustTooSlow) {
  EXPECT_TRUE(wants_another(kFastest, {}));
  EXPECT_TRUE(wants_another(kFastest, {attempt(Verdict::TimeLimit, 1050ms)}));
  EXPECT_FALSE(wants_another(kFastest, {attempt(Verdict::Accepted, 990ms)}));
  EXPECT_FALSE(wants_another(kFastest, {attempt(Verdict::TimeLimit, 1100ms, false)}));
  EXPECT_FALSE(wants_another(kFastest, {attempt(Verdict::WrongAnswer, 990ms)}));
  const std::vector<Attempt> three(3, attempt(Verdict::TimeLimit, 1050ms));
  EXPECT_FALSE(wants_another(kFastest, three));
}

TEST(Repeats, ForTheSlowestGoOnWhileNoneWasTooSlow) {
  EXPECT_TRUE(wants_another(kSlowest, {attempt(Verdict::Accepted, 990ms)}));
  EXPECT_FALSE(wants_another(kSlowest, {attempt(Verdict::Accepted, 500ms, false)}));
  EXPECT_FALSE(wants_another(kSlowest, {attempt(Verdict::TimeLimit, 1050ms)}));
  EXPECT_FALSE(wants_another(kSlowest, {attempt(Verdict::SystemError, 990ms)}));
}

TEST(Repeats, NeverTurnARealTimeLimitIntoSomethingElse) {
  const TestResult result =
      choose(kFastest, {attempt(Verdict::TimeLimit, 1050ms), attempt(Verdict::TimeLimit, 1020ms),
                        attempt(Verdict::TimeLimit, 1100ms, false)});
  EXPECT_EQ(result.verdict, Verdict::TimeLimit);
  EXPECT_EQ(result.facts->cpu_total, 1020ms);
  EXPECT_EQ(result.run_times, (std::vector<Nanoseconds>{1050ms, 1020ms, 1100ms}));
}

TEST(Repeats, TheFirstRunThatKeepsTheLimitCountsWhateverItSays) {
  const auto chosen = [](Verdict second) {
    return choose(kFastest, {attempt(Verdict::TimeLimit, 1050ms), attempt(second, 990ms)}).verdict;
  };
  EXPECT_EQ(chosen(Verdict::Accepted), Verdict::Accepted);
  EXPECT_EQ(chosen(Verdict::WrongAnswer), Verdict::WrongAnswer);
  EXPECT_EQ(chosen(Verdict::RuntimeError), Verdict::RuntimeError);
}

TEST(Repeats, TheSlowestCountsWhereThatIsAskedFor) {
  EXPECT_EQ(
      choose(kSlowest, {attempt(Verdict::Accepted, 980ms), attempt(Verdict::TimeLimit, 1001ms)})
          .verdict,
      Verdict::TimeLimit);
  EXPECT_EQ(choose(kSlowest, {attempt(Verdict::Accepted, 980ms), attempt(Verdict::Accepted, 990ms)})
                .facts->cpu_total,
            990ms);
}

TEST(Repeats, OneRunHasNoListOfTimes) {
  EXPECT_TRUE(choose({}, {attempt(Verdict::Accepted, 1ms)}).run_times.empty());
}

}  // namespace
}  // namespace assay::judge
