// What orders keep in memory while they wait and run, and what is left of them when they are over.
#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <thread>

#include "service/judgings.h"
#include "tests/service/fake_engine.h"
#include "tests/service/fake_judge.h"

namespace assay::service {
namespace {

class JudgingMemory : public testing::Test {
 protected:
  JudgingMemory() {
    char name[] = "/tmp/assay-judgings-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    service_.emplace(std::make_unique<FakeEngine>(), *store_, Options{.parallelism = 2}, nullptr);
  }
  ~JudgingMemory() override {
    judgings_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }
  void start(JudgingOptions options) {
    auto engine = std::make_unique<FakeJudge>();
    judge_ = engine.get();
    judgings_.emplace(std::move(engine), *service_, options, nullptr);
  }
  static JudgeOrder order(std::string id, std::string language, Bytes size) {
    return {.submission = {.id = std::move(id), .language = std::move(language)},
            .problem = problem_of(1),
            .digest = "as said",
            .size = size};
  }
  static void await_end(Judging& judging) {
    auto woken = std::make_shared<std::promise<void>>();
    const auto listener = judging.listen(Judging::kEnd, [woken] { woken->set_value(); });
    ASSERT_EQ(woken->get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  }

  FakeJudge* judge_ = nullptr;
  std::string directory_;
  std::optional<store::Store> store_;
  std::optional<Service> service_;
  std::optional<Judgings> judgings_;
};

TEST_F(JudgingMemory, OrdersThatWaitAreCountedByTheirBytesUntilTheyAreOver) {
  start({.at_once = 1, .order_bytes = 100_MiB});
  const auto first = judgings_->submit(order("a", "hold door", 60_MiB));
  ASSERT_TRUE(first) << describe(first.error());
  const auto second = judgings_->submit(order("b", "right", 60_MiB));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().fault, Fault::Busy);
  EXPECT_EQ(second.error().context, kTooManyBytes);
  EXPECT_TRUE(judgings_->submit(order("c", "right", 39_MiB)));
  judge_->release("door");
  await_end(*first->judging);
  EXPECT_EQ(judgings_->snapshot().refused, 1U);
}

// A line of the request each, and some hundred bytes.
TEST_F(JudgingMemory, TestsOfAProblemThatCameWithAnOrderAreCounted) {
  start({.at_once = 1, .order_bytes = 1_MiB});
  const auto first = judgings_->submit(order("a", "hold door", 1_KiB));
  ASSERT_TRUE(first) << describe(first.error());
  JudgeOrder many = order("b", "right", 1_KiB);
  many.problem = problem_of(10'000);
  JudgeOrder named = many;
  named.submission.id = "c";
  named.problem_id = "p";  // it is there already, for whomever
  EXPECT_FALSE(judgings_->submit(std::move(many)));
  EXPECT_TRUE(judgings_->submit(std::move(named)));
  judge_->release("door");
}

// Whoever tells of it asks for its name without a lock; it once was moved away and back.
TEST_F(JudgingMemory, OneThatEndsHasItsNameAllTheTime) {
  start({.at_once = 1});
  for (int round = 0; round < 500; ++round) {
    const std::string id = std::string(100, 'a') + std::to_string(round);
    const auto taken = judgings_->submit(order(id, "right", 1_KiB));
    ASSERT_TRUE(taken) << describe(taken.error());
    do
      ASSERT_EQ(taken->judging->id(), id);
    while (taken->judging->view().stage != JudgingStage::Over);
    ASSERT_EQ(taken->judging->id(), id);
  }
}

TEST_F(JudgingMemory, AResultThatIsLargerThanAllThatIsRememberedIsStillTold) {
  start({.at_once = 1, .keep_bytes = 1_KiB});
  judge_->swell("lint", 200 << 10);
  const auto taken = judgings_->submit(order("a", "right", 1_KiB));
  ASSERT_TRUE(taken) << describe(taken.error());
  await_end(*taken->judging);
  while (judgings_->snapshot().finished != judgings_->snapshot().accepted)
    std::this_thread::yield();
  EXPECT_TRUE(judgings_->find("a"));
}

TEST_F(JudgingMemory, WhatAnOrderKeptIsThereForTheNextOneWhenItIsOver) {
  start({.at_once = 1, .order_bytes = 100_MiB});
  for (const char* id : {"a", "b", "c"}) {
    const auto taken = judgings_->submit(order(id, "right", 200_MiB));  // alone it may be larger
    ASSERT_TRUE(taken) << id << ": " << describe(taken.error());
    await_end(*taken->judging);
    // Told a moment before it is closed.
    while (judgings_->snapshot().finished != judgings_->snapshot().accepted)
      std::this_thread::yield();
  }
}

// They are remembered for half an hour, thousands of them.
TEST_F(JudgingMemory, OneThatIsOverKeepsNothingOfItsOrderButWhatAnswersNeed) {
  start({});
  JudgeOrder wanted = order("a", "right", 1_MiB);
  const auto archive = std::make_shared<const os::OwnedFd>(store_->scratch().value());
  wanted.submission.archive = judge::Content{.file = archive};
  wanted.submission.extra_flags = {std::string(1000, 'x')};
  wanted.submission.sources = {{.name = "a.c", .content = std::string(1000, 'x')}};
  wanted.problem_id = "p";
  const auto taken = judgings_->submit(std::move(wanted));
  ASSERT_TRUE(taken) << describe(taken.error());
  await_end(*taken->judging);
  const JudgeOrder& left = taken->judging->order();
  EXPECT_EQ(archive.use_count(), 1) << "somebody still has it";
  EXPECT_FALSE(left.submission.archive);
  EXPECT_TRUE(left.submission.extra_flags.empty());
  EXPECT_TRUE(left.submission.sources.empty());
  EXPECT_EQ(left.problem, nullptr);
  EXPECT_EQ(taken->judging->id(), "a");
  EXPECT_EQ(left.submission.language, "right");
  EXPECT_EQ(left.problem_id, "p");
  EXPECT_EQ(left.digest, "as said");
}

// What a scorer or a checker says is as large as they like, up to their own bounds.
TEST_F(JudgingMemory, EverythingThatAResultKeepsCountsAgainstWhatIsRemembered) {
  for (const char* where : {"breakdown", "lint", "team", "subtask", "id"}) {
    judgings_.reset();
    start({.at_once = 1, .keep_bytes = 512_KiB});
    judge_->swell(where, 200 << 10);
    for (const char* id : {"a", "b", "c", "d"}) {
      const auto taken = judgings_->submit(order(id, "right", 1_MiB));
      ASSERT_TRUE(taken) << describe(taken.error());
      await_end(*taken->judging);
      while (judgings_->snapshot().finished != judgings_->snapshot().accepted)
        std::this_thread::yield();
    }
    EXPECT_EQ(judgings_->snapshot().kept, 2U) << where;
  }
}

}  // namespace
}  // namespace assay::service
