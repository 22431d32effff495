// The remote control of a run, used from another thread.
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "sandbox/sandbox.h"
#include "tests/support/box_test.h"
#include "tests/support/traces.h"

namespace assay::test {
namespace {

using sandbox::Control;
using sandbox::CutOff;
using sandbox::Usage;

class Controls : public BoxTest {
 protected:
  // Runs a job and calls `act` once the program has written its first byte.
  Outcome run_and(const Job& job, Control& control, const std::function<void()>& act) {
    os::Pipe pipe = os::make_pipe().value();
    std::thread actor([&] {
      char byte = 0;
      if (::read(pipe.read_end.get(), &byte, 1) == 1) act();
    });
    Prepared prepared(job);
    prepared.spec.output = sandbox::Descriptor{pipe.write_end.get()};
    const auto facts = engine().run(prepared.spec, &control);
    pipe.write_end.reset();
    actor.join();
    EXPECT_TRUE(facts) << describe(facts.error());
    if (facts) prepared.finish(*facts);
    return prepared.outcome;
  }
};

TEST_F(Controls, CancellingBeforeTheStartCancelsTheRun) {
  Control control;
  control.cancel();
  const Outcome outcome = run({.guest = "spin_forever"}, &control);
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cancelled) << outcome;
  EXPECT_EQ(outcome.letters, "SKIPPED");
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Controls, CancellingDuringARunEndsIt) {
  for (const CutOff why : {CutOff::Cancelled, CutOff::Terminated, CutOff::Shutdown, CutOff::Peer}) {
    Control control;
    const Outcome outcome =
        run_and({.guest = "sleep_forever"}, control, [&] { control.cancel(why); });
    EXPECT_EQ(outcome.facts.cut_off_by, why) << outcome;
    EXPECT_EQ(outcome.letters, "SKIPPED");
  }
}

TEST_F(Controls, TheFirstCauseCounts) {
  Control control;
  const Outcome outcome = run_and({.guest = "sleep_forever"}, control, [&] {
    control.cancel(CutOff::Terminated);
    control.cancel(CutOff::Cancelled);
  });
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Terminated) << outcome;
}

TEST_F(Controls, CancellingAFinishedRunDoesNothing) {
  Control control;
  EXPECT_EQ(run({.guest = "exit_code"}, &control).letters, "AC");
  control.cancel();
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

TEST_F(Controls, CancellingAtAnyMomentNeverHangs) {
  for (int round = 0; round < 100; ++round) {
    Control control;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(round * 20));
      control.cancel();
    });
    const Outcome outcome = run({.guest = "burn_cpu_ms", .arguments = {"1"}}, &control);
    canceller.join();
    EXPECT_TRUE(outcome.letters == "AC" || outcome.letters == "SKIPPED") << outcome;
  }
}

TEST_F(Controls, UsageIsEmptyWhenNothingRuns) {
  Control control;
  EXPECT_TRUE(control.usage().empty());
  run({.guest = "exit_code"}, &control);
  EXPECT_TRUE(control.usage().empty());
}

TEST_F(Controls, UsageGrowsWhileAProgramWorks) {
  Control control;
  const Job worker{.arguments = {"sh", "-c", "echo; while :; do :; done"},
                   .limits = {.cpu_time = scaled(20s)}};
  const Outcome outcome = run_and(worker, control, [&] {
    std::vector<Usage> usage;
    do
      usage = control.usage();
    while (usage.size() == 1 && usage[0].running && usage[0].cpu < scaled(50ms));
    EXPECT_EQ(usage.size(), 1U);
    if (usage.size() == 1) {
      EXPECT_GE(usage[0].cpu, scaled(50ms));
      EXPECT_GT(usage[0].wall, 0ms);
      EXPECT_TRUE(!has_meters() || usage[0].memory_now > 0_B);
      EXPECT_FALSE(usage[0].paused);
    }
    control.cancel();
  });
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cancelled) << outcome;
}

TEST_F(Controls, ASectionHasAPeakOfItsOwnAndTheRunKeepsTheHighest) {
  NEEDS_METERS();
  Control control;
  const Job job{.guest = "do_as_told", .input = ""};
  os::Pipe input = os::make_pipe().value();
  os::Pipe output = os::make_pipe().value();
  Prepared prepared(job);
  prepared.spec.input = sandbox::Descriptor{input.read_end.get()};
  prepared.spec.output = sandbox::Descriptor{output.write_end.get()};
  std::vector<Usage> after_free, after_rest;
  std::thread owner([&] {
    const auto tell = [&](std::string_view order) {
      std::array<char, 8> answer;
      (void)!::write(input.write_end.get(), order.data(), order.size());
      (void)!::read(output.read_end.get(), answer.data(), answer.size());
      return control.usage(sandbox::Section::Begins);
    };
    tell("take 100\n");
    after_free = tell("free\n");
    after_rest = tell("burn 1\n");
    input.write_end.reset();
  });
  const auto facts = engine().run(prepared.spec, &control);
  owner.join();
  ASSERT_TRUE(facts) << describe(facts.error());
  ASSERT_EQ(after_free.size(), 1U);
  ASSERT_EQ(after_rest.size(), 1U);
  EXPECT_LT(after_rest[0].memory_now, 50_MiB);
  EXPECT_GT(after_rest[0].memory_peak, 100_MiB);
  EXPECT_GT(facts->memory_peak, 100_MiB);
  if (!after_free[0].section_peak) GTEST_SKIP() << "this kernel cannot restart the meter";
  EXPECT_GT(*after_free[0].section_peak, 100_MiB);
  EXPECT_LT(*after_rest[0].section_peak, 50_MiB);
  EXPECT_LT(*facts->section_peak, 50_MiB);
}

TEST_F(Controls, APausedProgramUsesNoTimeAndResumes) {
  NEEDS_METERS();
  Control control;
  // It has enough to do to be met at it also by a thread that waits its turn on a busy machine.
  const Job job{
      .arguments = {"sh", "-c", "echo; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"},
      .limits = {.wall_time = scaled(2s)}};
  const Outcome outcome = run_and(job, control, [&] {
    control.pause();
    (void)control.usage();  // answered after the pause was obeyed
    std::this_thread::sleep_for(
        scaled(20ms));  // the freezer takes a moment to stop a running process
    const auto before = control.usage();
    std::this_thread::sleep_for(scaled(2200ms));  // longer than the wall limit
    const auto after = control.usage();
    EXPECT_EQ(before.size(), 1U);
    EXPECT_EQ(after.size(), 1U);
    if (before.size() == 1 && after.size() == 1) {
      EXPECT_TRUE(before[0].paused && after[0].paused);
      EXPECT_EQ(before[0].cpu, after[0].cpu);
      EXPECT_EQ(before[0].wall, after[0].wall);
    }
    control.resume();
  });
  EXPECT_EQ(outcome.letters, "AC") << outcome;
  EXPECT_LT(outcome.facts.wall, scaled(2s)) << outcome;
}

TEST_F(Controls, APausedProgramIsNotIdle) {
  NEEDS_METERS();
  Control control;
  const Job job{.arguments = {"sh", "-c", "echo; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"},
                .limits = {.idle_time = scaled(300ms)}};
  const Outcome outcome = run_and(job, control, [&] {
    control.pause();
    std::this_thread::sleep_for(scaled(500ms));
    control.resume();
  });
  EXPECT_EQ(outcome.letters, "AC") << outcome;
}

TEST_F(Controls, APausedProgramCanBeCancelled) {
  Control control;
  std::promise<void> over;
  std::thread watchdog([&, ended = over.get_future()] {
    if (ended.wait_for(scaled(5s)) == std::future_status::ready) return;
    ADD_FAILURE() << "the run did not end";
    thaw(engine().instance());
  });
  const Outcome outcome = run_and({.guest = "sleep_forever"}, control, [&] {
    control.pause();
    (void)control.usage();
    control.cancel();
  });
  over.set_value();
  watchdog.join();
  EXPECT_EQ(outcome.facts.cut_off_by, CutOff::Cancelled) << outcome;
  EXPECT_EQ(run({.guest = "exit_code"}).letters, "AC");
}

// Its whole life is shorter than the way of an order to the freezer.
TEST_F(Controls, PausingBeforeTheStartHoldsTheProgramUntilResumed) {
  NEEDS_METERS();
  Control control;
  control.pause();
  std::atomic<bool> over = false;
  std::vector<sandbox::Usage> held;
  std::thread resumer([&] {
    while (held.empty() && !over)
      held = control.usage();
    control.resume();
  });
  const Outcome outcome = run({.guest = "exit_code", .arguments = {"7"}}, &control);
  over = true;
  resumer.join();
  EXPECT_TRUE(ended_as(outcome, sandbox::Exited{7})) << outcome;
  ASSERT_EQ(held.size(), 1U) << "it ran while it was paused";
  EXPECT_TRUE(held.front().paused);
  EXPECT_FALSE(held.front().running);
  EXPECT_EQ(held.front().cpu, Nanoseconds{});
}

TEST_F(Controls, WhatIsPausedBeforeTheStartCanBeCancelled) {
  Control control;
  control.pause();
  std::thread canceller([&] {
    while (control.usage().empty())
      std::this_thread::yield();
    control.cancel();
  });
  const Outcome outcome = run({.guest = "exit_code", .arguments = {"7"}}, &control);
  canceller.join();
  EXPECT_EQ(outcome.facts.cut_off_by, sandbox::CutOff::Cancelled) << outcome;
}

}  // namespace
}  // namespace assay::test
