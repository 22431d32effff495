// Programs of a group that start one after the other.
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

class StartGap : public BoxTest {
 protected:
  // When each said that it runs, in milliseconds.
  std::vector<double> starts(const std::vector<Nanoseconds>& gaps) {
    std::vector<std::unique_ptr<Prepared>> jobs;
    std::vector<sandbox::Spec> specs;
    for (const Nanoseconds gap : gaps) {
      jobs.push_back(std::make_unique<Prepared>(Job{.arguments = {"/bin/date", "+%s%N"}}));
      specs.push_back(jobs.back()->spec);
      specs.back().start_gap = gap;
    }
    const auto facts = engine().run_together(specs);
    EXPECT_TRUE(facts) << describe(facts.error());
    std::vector<double> times;
    for (std::size_t i = 0; facts && i < jobs.size(); ++i) {
      jobs[i]->finish(facts->at(i));
      times.push_back(std::strtod(jobs[i]->outcome.output.c_str(), nullptr) / 1e6);
    }
    return times;
  }
};

TEST_F(StartGap, IsKeptBehindTheOneBefore) {
  // A busy machine may keep any of them waiting before it tells the time: one of some tries shows
  // it.
  bool shown = false;
  for (int i = 0; i < 10 && !shown; ++i) {
    const std::vector<double> times = starts({0ms, scaled(60ms), scaled(40ms)});
    ASSERT_EQ(times.size(), 3U);
    const double wanted = std::chrono::duration<double, std::milli>(scaled(10ms)).count();
    shown = times[1] - times[0] >= 5 * wanted && times[2] - times[1] >= 3 * wanted;
  }
  EXPECT_TRUE(shown);
}

TEST_F(StartGap, OfTheFirstMeansNothing) {
  EXPECT_EQ(starts({10h}).size(), 1U);
}

TEST_F(StartGap, LimitsHoldMeanwhile) {
  NEEDS_METERS();
  Prepared spinner({.guest = "spin_forever", .limits = {.cpu_time = scaled(100ms)}});
  Prepared late({.guest = "exit_code"});
  late.spec.start_gap = scaled(1s);
  const std::vector specs{spinner.spec, late.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->at(0).cut_off_by, sandbox::CutOff::Cpu);
  EXPECT_LT(facts->at(0).cpu_total, scaled(300ms));
  EXPECT_EQ(facts->at(1).end, sandbox::End(sandbox::Exited{0}));
  EXPECT_EQ(facts->at(1).exit_order, 1U);
}

TEST_F(StartGap, ACancellationEndsTheLateOneToo) {
  Prepared one({.guest = "sleep_forever"});
  Prepared two({.guest = "sleep_forever"});
  two.spec.start_gap = 50ms;
  const std::vector specs{one.spec, two.spec};
  sandbox::Control control;
  control.cancel();
  const auto facts = engine().run_together(specs, &control);
  ASSERT_TRUE(facts) << describe(facts.error());
  for (const sandbox::Facts& each : *facts)
    EXPECT_EQ(each.cut_off_by, sandbox::CutOff::Cancelled);
}

}  // namespace
}  // namespace assay::test
