// A program that may use only so much of a core at any time. Wall times have only lower bounds
// here: a busy or an emulated machine makes everything slower, never faster.
#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::Exited;

class CpuRate : public BoxTest {
 protected:
  void SetUp() override {
    BoxTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    NEEDS_METERS();
    sandbox::Options options = BoxTest::options();
    options.cpu_quota = true;
    auto started = sandbox::Sandbox::start(options);
    ASSERT_TRUE(started) << describe(started.error());
    engine_.emplace(*std::move(started));
    Prepared probe({.guest = "exit_code", .limits = {.cpu_permille = 500}});
    const auto facts = engine_->run(probe.spec);
    if (facts) return;
    ASSERT_EQ(engine().meters().value().cgroups, 1U) << describe(facts.error());
    ASSERT_EQ(facts.error().fault, Fault::InvalidRequest) << describe(facts.error());
    GTEST_SKIP() << describe(facts.error());
  }
  void TearDown() override {
    engine_.reset();
    BoxTest::TearDown();
  }

  Outcome burn(Nanoseconds work, std::optional<std::uint64_t> permille,
               const std::string& threads = "1") {
    Prepared job(
        {.guest = "burn_cpu_ms",
         .arguments = {milliseconds(work), threads},
         .limits = {.cpu_time = scaled(10s), .wall_time = scaled(60s), .cpu_permille = permille}});
    const auto facts = engine_->run(job.spec);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) job.finish(*facts);
    return job.outcome;
  }

 private:
  std::optional<sandbox::Sandbox> engine_;  // one that was told of limits of the cpu rate
};

// The others need not enter one hierarchy more.
TEST_F(CpuRate, AnEngineThatWasNotToldMayHaveNoController) {
  const auto outcome = try_run({.guest = "exit_code", .limits = {.cpu_permille = 500}});
  EXPECT_TRUE(outcome || describe(outcome.error()).contains("cpu controller"));
}

TEST_F(CpuRate, AQuarterOfACoreTakesFourTimesAsLong) {
  const Outcome outcome = burn(1s, 250);
  ASSERT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_EQ(outcome.facts.limits.cpu_permille, 250U);
  EXPECT_GT(outcome.facts.wall, 3 * outcome.facts.cpu_total) << outcome;
}

TEST_F(CpuRate, ThreadsShareIt) {
  const Outcome outcome = burn(250ms, 500, "4");
  ASSERT_TRUE(ended_as(outcome, Exited{0})) << outcome;
  EXPECT_GE(outcome.facts.cpu_total, 1s) << outcome;
  EXPECT_GT(outcome.facts.wall, 3 * outcome.facts.cpu_total / 2) << outcome;
}

TEST_F(CpuRate, TheNextProgramInTheBoxHasItsOwn) {
  ASSERT_TRUE(ended_as(burn(100ms, 100), Exited{0}));
  // At a tenth of a core no run could be this quick; without, some run of many is on any machine.
  for (int round = 0; round < 20; ++round) {
    const Outcome outcome = burn(200ms, std::nullopt);
    ASSERT_TRUE(ended_as(outcome, Exited{0})) << outcome;
    if (outcome.facts.wall < 3 * outcome.facts.cpu_total) return;
  }
  FAIL() << "all runs were as slow as the one before them with a limit";
}

}  // namespace
}  // namespace assay::test
