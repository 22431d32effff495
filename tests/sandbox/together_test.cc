// Programs that talk to each other.
#include <fcntl.h>
#include <sys/socket.h>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

using sandbox::CutOff;
using sandbox::Exited;
using sandbox::Joined;

class Together : public BoxTest {
 protected:
  struct Pair {
    Outcome first, second;
  };

  // Joined by two pipes: the output of each is the input of the other.
  Pair run_pair(const Job& first, const Job& second, sandbox::Control* control = nullptr) {
    Prepared one(first);
    Prepared two(second);
    one.spec.output = Joined{0};
    two.spec.input = Joined{0};
    two.spec.output = Joined{1};
    one.spec.input = Joined{1};
    const std::vector specs{one.spec, two.spec};
    const auto facts = engine().run_together(specs, control);
    EXPECT_TRUE(facts) << describe(facts.error());
    if (!facts) return {};
    one.finish(facts->at(0));
    two.finish(facts->at(1));
    return {one.outcome, two.outcome};
  }
};

TEST_F(Together, TwoProgramsAnswerEachOther) {
  for (int round = 0; round < 5; ++round) {
    const Pair pair = run_pair({.guest = "ask_peer", .arguments = {"200", "7"}},
                               {.guest = "answer_peer", .arguments = {"200"}});
    EXPECT_TRUE(ended_as(pair.first, Exited{7})) << pair.first;
    EXPECT_TRUE(ended_as(pair.second, Exited{0})) << pair.second;
  }
}

TEST_F(Together, ExitOrderSaysWhoEndedFirst) {
  const Job quick{.guest = "exit_code"};
  const Job slow{.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(100ms))}};
  const Pair a = run_pair(quick, slow);
  EXPECT_EQ(a.first.facts.exit_order, 0U) << a.first << a.second;
  EXPECT_EQ(a.second.facts.exit_order, 1U);
  const Pair b = run_pair(slow, quick);
  EXPECT_EQ(b.first.facts.exit_order, 1U) << b.first << b.second;
  EXPECT_EQ(b.second.facts.exit_order, 0U);
}

// Its box is clean and ready for another long before the facts are taken.
TEST_F(Together, WhoEndsFirstIsMeasuredAllTheSame) {
  NEEDS_METERS();
  const Pair pair = run_pair({.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(20ms))}},
                             {.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(200ms))}});
  EXPECT_GT(pair.first.facts.cpu_total, scaled(18ms)) << pair.first;
  EXPECT_GT(pair.first.facts.memory_peak, Bytes{}) << pair.first;
  EXPECT_GT(pair.second.facts.cpu_total, scaled(180ms)) << pair.second;
}

TEST_F(Together, WhenOneEndsTheOtherSeesTheEndOfItsInput) {
  const sandbox::Limits limits{.wall_time = scaled(2s)};
  const Pair pair = run_pair({.guest = "ask_peer", .arguments = {"3", "0"}, .limits = limits},
                             {.guest = "answer_peer", .limits = limits});
  EXPECT_TRUE(ended_as(pair.first, Exited{0})) << pair.first;
  EXPECT_TRUE(ended_as(pair.second, Exited{0})) << pair.second;
}

TEST_F(Together, TwoProgramsThatWaitForEachOtherAreIdle) {
  NEEDS_METERS();
  const sandbox::Limits limits{.wall_time = scaled(60s), .idle_time = scaled(200ms)};
  const Pair pair = run_pair({.guest = "answer_peer", .limits = limits},
                             {.guest = "answer_peer", .limits = limits});
  EXPECT_EQ(pair.first.letters, "ILE") << pair.first;
  EXPECT_EQ(pair.second.letters, "ILE") << pair.second;
}

TEST_F(Together, WhoeverWaitsForOneThatWorksIsNotIdleWhereTheyAreIdleTogether) {
  NEEDS_METERS();
  const sandbox::Limits limits{
      .cpu_time = scaled(30s), .wall_time = scaled(60s), .idle_time = scaled(200ms)};
  Prepared works(
      {.guest = "burn_cpu_ms", .arguments = {milliseconds(scaled(800ms))}, .limits = limits});
  Prepared waits({.guest = "answer_peer", .limits = limits});
  works.spec.output = Joined{0};
  waits.spec.input = Joined{0};
  works.spec.idle_together = waits.spec.idle_together = true;
  const std::vector specs{works.spec, waits.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->at(0).cut_off_by, CutOff::None);
  EXPECT_EQ(facts->at(1).cut_off_by, CutOff::None);
}

TEST_F(Together, IdleTogetherTheyEndTogether) {
  NEEDS_METERS();
  const sandbox::Limits limits{.wall_time = scaled(60s), .idle_time = scaled(200ms)};
  Prepared one({.guest = "sleep_forever", .limits = limits});
  Prepared two({.guest = "sleep_forever", .limits = limits});
  one.spec.idle_together = two.spec.idle_together = true;
  const std::vector specs{one.spec, two.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  for (const sandbox::Facts& each : *facts)
    EXPECT_EQ(each.cut_off_by, CutOff::Idle);
}

TEST_F(Together, OneOfThemCanBeEndedAloneAndEveryEndIsTold) {
  Prepared one({.guest = "sleep_forever"});
  Prepared two({.guest = "exit_code", .arguments = {"7"}});
  sandbox::Control control;
  std::vector<std::pair<std::size_t, CutOff>> told;
  control.when_ended([&](std::size_t program, const sandbox::End&, CutOff cut) {
    told.emplace_back(program, cut);
    if (program == 1) control.cut_off(0, CutOff::Peer);
  });
  const std::vector specs{one.spec, two.spec};
  const auto facts = engine().run_together(specs, &control);
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->at(0).cut_off_by, CutOff::Peer);
  EXPECT_EQ(facts->at(1).end, sandbox::End(Exited{7}));
  EXPECT_EQ(told,
            (std::vector<std::pair<std::size_t, CutOff>>{{1, CutOff::None}, {0, CutOff::Peer}}));
}

// The second has ten times as much to do: a busy machine may well give it the cpu first.
TEST_F(Together, OneLimitDoesNotEndTheOther) {
  Prepared one({.guest = "spin_forever", .limits = {.cpu_time = scaled(100ms)}});
  Prepared two({.guest = "burn_cpu_ms",
                .arguments = {milliseconds(scaled(1000ms))},
                .limits = {.cpu_time = scaled(10s), .wall_time = scaled(60s)}});
  const std::vector specs{one.spec, two.spec};
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  one.finish(facts->at(0));
  two.finish(facts->at(1));
  EXPECT_EQ(one.outcome.letters, "TLE") << one.outcome;
  EXPECT_EQ(two.outcome.letters, "AC") << two.outcome;
  EXPECT_EQ(one.outcome.facts.exit_order, 0U);
}

TEST_F(Together, CancellingEndsAll) {
  sandbox::Control control;
  control.cancel();
  const Pair pair = run_pair({.guest = "sleep_forever"}, {.guest = "spin_forever"}, &control);
  EXPECT_EQ(pair.first.facts.cut_off_by, CutOff::Cancelled);
  EXPECT_EQ(pair.second.facts.cut_off_by, CutOff::Cancelled);
}

TEST_F(Together, FiveProgramsRunAtOnce) {
  std::vector<std::unique_ptr<Prepared>> jobs;
  std::vector<sandbox::Spec> specs;
  for (int i = 0; i < 5; ++i) {
    jobs.push_back(
        std::make_unique<Prepared>(Job{.guest = "exit_code", .arguments = {std::to_string(i)}}));
    specs.push_back(jobs.back()->spec);
  }
  const auto facts = engine().run_together(specs);
  ASSERT_TRUE(facts) << describe(facts.error());
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(facts->at(static_cast<std::size_t>(i)).end, sandbox::End(Exited{i}));
}

TEST_F(Together, OneBadSpecStartsNone) {
  const std::vector specs{Prepared({.guest = "exit_code"}).spec, sandbox::Spec{}};
  const auto facts = engine().run_together(specs);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fault, Fault::InvalidRequest);
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Together, NoProgramsAtAllAreNoFacts) {
  const auto facts = engine().run_together({});
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->empty());
}

TEST_F(Together, TheyDoNotSeeEachOther) {
  const Pair pair = run_pair({.arguments = {"sh", "-c", "ls /proc | grep -c '^[0-9]' >&2"}},
                             {.guest = "sleep_forever", .limits = {.wall_time = scaled(500ms)}});
  ASSERT_FALSE(pair.first.errors.empty()) << pair.first;
  EXPECT_LE(std::stoi(pair.first.errors), 3) << pair.first;  // sh, ls and, if it was quick, grep
}

}  // namespace
}  // namespace assay::test
