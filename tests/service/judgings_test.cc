#include "service/judgings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "tests/service/fake_engine.h"
#include "tests/service/fake_judge.h"

namespace assay::service {
namespace {

using Steps = std::vector<JudgingStep>;

class JudgingDesk : public testing::Test {
 protected:
  JudgingDesk() {
    char name[] = "/tmp/assay-judgings-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    service_.emplace(std::make_unique<FakeEngine>(), *store_, Options{.parallelism = 2}, nullptr);
  }

  ~JudgingDesk() override {
    judgings_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  void start(JudgingOptions options = {}, JudgingObserver observer = {}) {
    auto engine = std::make_unique<FakeJudge>();
    judge_ = engine.get();
    judgings_.emplace(std::move(engine), *service_, options, std::move(observer));
  }
  static JudgeOrder order(std::string id, std::string language, int priority = 0) {
    return {.submission = {.id = std::move(id), .language = std::move(language)},
            .problem = problem_of(2),
            .digest = "as said",
            .priority = priority};
  }
  std::shared_ptr<Judging> submit(JudgeOrder wanted) {
    auto taken = judgings_->submit(std::move(wanted));
    EXPECT_TRUE(taken) << describe(taken.error());
    return taken ? taken->judging : nullptr;
  }
  static std::shared_ptr<const judge::JudgeResult> await_result(Judging& judging) {
    auto woken = std::make_shared<std::promise<void>>();
    const auto listener = judging.listen(Judging::kEnd, [woken] { woken->set_value(); });
    (void)woken->get_future().wait_for(std::chrono::seconds(10));
    return judging.view().result;
  }
  static Steps steps_of(const Judging& judging) {
    Steps steps;
    for (const JudgingEvent& event : events_after(judging, 0))
      steps.push_back(event.step);
    return steps;
  }

  std::string directory_;
  std::optional<store::Store> store_;
  std::optional<Service> service_;
  FakeJudge* judge_ = nullptr;
  std::optional<Judgings> judgings_;
};

TEST_F(JudgingDesk, TellsEveryStepInItsOrderAndThenTheResult) {
  start();
  const auto judging = submit(order("s1", "right"));
  const auto result = await_result(*judging);
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->submission_id, "s1");
  EXPECT_EQ(result->letters, "AC");
  EXPECT_EQ(steps_of(*judging),
            (Steps{JudgingStep::Queued, JudgingStep::Begun, JudgingStep::Compiled,
                   JudgingStep::Tested, JudgingStep::Tested, JudgingStep::Ended}));
  EXPECT_EQ(judging->view().stage, JudgingStage::Over);
  EXPECT_EQ(events_after(*judging, 3).front().number, 4U);
  EXPECT_EQ(events_after(*judging, 3).front().test->id, "1");
  EXPECT_EQ(events_after(*judging, 5).front().result, result);
  EXPECT_TRUE(events_after(*judging, 6).empty());
}

TEST_F(JudgingDesk, TakesAnIdOnceHoweverOftenItIsSent) {
  start();
  const auto first = judgings_->submit(order("same", "hold door"));
  const auto again = judgings_->submit(order("same", "hold door"));
  ASSERT_TRUE(first && again);
  EXPECT_TRUE(first->is_new);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(first->judging, again->judging);
  judge_->release("door");
  ASSERT_NE(await_result(*first->judging), nullptr);
  EXPECT_EQ(judgings_->submit(order("same", "hold door"))->judging, first->judging);
  EXPECT_EQ(judge_->started().size(), 1U);
}

TEST_F(JudgingDesk, RefusesAnIdThatMeansSomethingElseNow) {
  start();
  submit(order("same", "hold door"));
  JudgeOrder other = order("same", "right");
  other.digest = "something else";
  const auto taken = judgings_->submit(std::move(other));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().fault, Fault::Conflict);
  judge_->release("door");
}

TEST_F(JudgingDesk, RefusesIdsThatAreNoNames) {
  start();
  for (const char* id : {"../x", "a/b", ".hidden", "a b", "a\nb", "\xff"}) {
    const auto taken = judgings_->submit(order(id, "right"));
    ASSERT_FALSE(taken) << id;
    EXPECT_EQ(taken.error().fault, Fault::InvalidRequest);
  }
  EXPECT_FALSE(judgings_->submit(order(std::string(129, 'a'), "right")));
  EXPECT_TRUE(judgings_->submit(order(std::string(128, 'a'), "right")));
}

TEST_F(JudgingDesk, NamesThoseThatHaveNoName) {
  start();
  const auto first = submit(order("", "right"));
  const auto second = submit(order("", "right"));
  EXPECT_GE(first->id().size(), 16U);
  EXPECT_NE(first->id(), second->id());
}

TEST_F(JudgingDesk, CancelsOneThatWaitsAtOnce) {
  start({.at_once = 1});
  const auto running = submit(order("running", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  const auto waiting = submit(order("waiting", "right"));
  ASSERT_TRUE(judgings_->remove("waiting"));
  ASSERT_NE(waiting->view().result, nullptr);
  EXPECT_EQ(waiting->view().result->status, judge::JudgeStatus::Failed);
  EXPECT_EQ(waiting->view().result->message, "cancelled");
  EXPECT_EQ(running->view().result, nullptr);
  judge_->release("door");
  ASSERT_NE(await_result(*running), nullptr);
  EXPECT_EQ(judge_->started(), std::vector<std::string>{"running"});
}

TEST_F(JudgingDesk, CancelsOneThatRuns) {
  start();
  const auto judging = submit(order("x", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  ASSERT_TRUE(judgings_->remove("x"));
  const auto result = await_result(*judging);
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->message, "cancelled");
  EXPECT_TRUE(judgings_->find("x"));
  EXPECT_EQ(judgings_->snapshot().cancelled, 1U);
}

TEST_F(JudgingDesk, ForgetsOneThatIsOverWhenAsked) {
  start();
  ASSERT_NE(await_result(*submit(order("x", "right"))), nullptr);
  ASSERT_TRUE(judgings_->remove("x"));
  EXPECT_EQ(judgings_->find("x").error().fault, Fault::NotFound);
  EXPECT_EQ(judgings_->remove("x").error().fault, Fault::NotFound);
}

// The result is told before the docket knows that it is over. Kept all the same, it would be found
// for half an hour by who was told that it is gone.
TEST_F(JudgingDesk, ForgetsOneWhoseResultWasJustTold) {
  start();
  const auto judging = submit(order("x", "hold door"));
  std::promise<bool> was_removed, was_new;
  const auto listener = judging->listen(Judging::kEnd, [&] {
    was_removed.set_value(judgings_->remove("x").has_value());
    const auto again = judgings_->submit(order("x", "right"));
    was_new.set_value(again && again->is_new);
  });
  judge_->release("door");
  EXPECT_TRUE(was_removed.get_future().get());
  EXPECT_TRUE(was_new.get_future().get());
  judgings_->drain(std::chrono::seconds(10));
  const JudgingSnapshot now = judgings_->snapshot();
  EXPECT_EQ(now.kept, 1U);  // the second
  EXPECT_EQ(now.cancelled, 0U);
  EXPECT_EQ(now.running, 0U);
  EXPECT_EQ(now.finished, 2U);
}

TEST_F(JudgingDesk, TellsWhoseFaultAFailureIs) {
  start();
  const auto broken = await_result(*submit(order("1", "broken")));
  const auto checker = await_result(*submit(order("2", "checker")));
  ASSERT_TRUE(broken && checker);
  EXPECT_EQ(broken->verdict, verdict::Verdict::SystemError);
  EXPECT_EQ(broken->message, "the judge broke");
  EXPECT_EQ(checker->verdict, verdict::Verdict::JudgeFailed);
  EXPECT_EQ(checker->tests.size(), 2U);
  EXPECT_EQ(judgings_->submit(order("3", "bad")).error().fault, Fault::InvalidRequest);
}

TEST_F(JudgingDesk, LetsAHigherPriorityGoFirst) {
  start({.at_once = 1});
  submit(order("door", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  const auto low = submit(order("low", "right", 0));
  const auto high = submit(order("high", "right", 5));
  judge_->release("door");
  ASSERT_TRUE(await_result(*low) && await_result(*high));
  EXPECT_EQ(judge_->started(), (std::vector<std::string>{"door", "high", "low"}));
}

TEST_F(JudgingDesk, RefusesMoreThanItsQueueHolds) {
  start({.at_once = 1, .queue_limit = 1});
  submit(order("running", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  submit(order("waiting", "right"));
  const auto third = judgings_->submit(order("third", "right"));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().fault, Fault::Busy);
  EXPECT_EQ(judgings_->find("third").error().fault, Fault::NotFound);
  judge_->release("door");
}

TEST_F(JudgingDesk, ForgetsTheOldestWhenThereAreTooMany) {
  start({.at_once = 1, .keep_count = 2});
  for (const char* id : {"1", "2", "3"})
    ASSERT_NE(await_result(*submit(order(id, "right"))), nullptr);
  ASSERT_NE(await_result(*submit(order("4", "right"))), nullptr);
  EXPECT_FALSE(judgings_->find("1"));
  EXPECT_TRUE(judgings_->find("4"));
  EXPECT_LE(judgings_->snapshot().kept, 2U);
}

TEST_F(JudgingDesk, EndsEverythingWhenItDrains) {
  start({.at_once = 1});
  const auto running = submit(order("running", "hold for ever"));
  ASSERT_TRUE(judge_->await_started(1));
  const auto waiting = submit(order("waiting", "right"));
  judgings_->drain(std::chrono::milliseconds(1));
  ASSERT_TRUE(running->view().result && waiting->view().result);
  EXPECT_EQ(running->view().result->message, "cancelled");
  EXPECT_EQ(judgings_->submit(order("late", "right")).error().fault, Fault::Busy);
}

TEST_F(JudgingDesk, TellsItsObserverOnce) {
  std::mutex lock;
  std::vector<std::string> ended;
  start({}, [&](const Judging& judging, const judge::JudgeResult& result) {
    const std::lock_guard guard(lock);
    ended.push_back(judging.id() + " " + result.letters);
  });
  ASSERT_NE(await_result(*submit(order("a", "right"))), nullptr);
  judgings_->drain(std::chrono::seconds(10));
  const std::lock_guard guard(lock);
  EXPECT_EQ(ended, std::vector<std::string>{"a AC"});
}

TEST_F(JudgingDesk, TellsWhatIsSaidWhileItIsSaidAndAgainToWhoComesLater) {
  start();
  const auto judging = submit(order("a", "talk door"));
  std::uint64_t seen = 3;  // queued, begun, compiled
  for (const std::string_view text : {"7\n", "8\n"}) {
    auto woken = std::make_shared<std::promise<void>>();
    const auto listener = judging->listen(seen, [woken] { woken->set_value(); });
    ASSERT_EQ(woken->get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
    const auto event = judging->event_after(seen);
    ASSERT_TRUE(event && event->said);
    EXPECT_EQ(event->step, JudgingStep::Said);
    EXPECT_EQ(event->said->test_id, "2");
    EXPECT_EQ(event->said->remark.bytes, text);
    seen = event->number;
  }
  judge_->release("door");
  ASSERT_NE(await_result(*judging), nullptr);
  EXPECT_EQ(
      steps_of(*judging),
      (Steps{JudgingStep::Queued, JudgingStep::Begun, JudgingStep::Compiled, JudgingStep::Said,
             JudgingStep::Said, JudgingStep::Tested, JudgingStep::Tested, JudgingStep::Ended}));
  const auto again = judging->event_after(3);
  ASSERT_TRUE(again && again->said);
  EXPECT_EQ(again->number, 4U) << "numbers stay what they were";
  EXPECT_EQ(again->said->test_id, "2");
  EXPECT_EQ(again->said->remark.bytes, "7\n");
}

TEST_F(JudgingDesk, TellsNothingAgainThatTheResultHasNot) {
  start();
  const auto judging = submit(order("a", "talk door"));
  ASSERT_TRUE(judge_->await_started(1));
  while (events_after(*judging, 0).size() < 5)
    std::this_thread::yield();
  ASSERT_TRUE(judgings_->remove("a"));
  ASSERT_NE(await_result(*judging), nullptr);
  EXPECT_EQ(steps_of(*judging), (Steps{JudgingStep::Queued, JudgingStep::Begun,
                                       JudgingStep::Compiled, JudgingStep::Ended}));
  EXPECT_EQ(judging->event_after(3)->number, 6U);
}

TEST_F(JudgingDesk, TellsWhatWasSaidInAnEarlierLife) {
  const exec::Dialogue said{.remarks = {{.voice = 0, .bytes = "7\n"}}};
  judge::JudgeResult result{.compile = judge::CompileResult{.ok = true}};
  result.tests.push_back({.id = "1", .verdict = verdict::Verdict::Accepted});
  result.tests.push_back({.id = "2",
                          .verdict = verdict::Verdict::Accepted,
                          .interaction = judge::InteractionResult{.dialogue = said}});
  const Judging judging(JudgeOrder{}, std::move(result));
  EXPECT_EQ(steps_of(judging), (Steps{JudgingStep::Queued, JudgingStep::Begun,
                                      JudgingStep::Compiled, JudgingStep::Tested, JudgingStep::Said,
                                      JudgingStep::Tested, JudgingStep::Ended}));
  EXPECT_EQ(judging.event_after(4)->said->remark.bytes, "7\n");
}

TEST_F(JudgingDesk, WhoWaitsForTheEndIsCalledThenAndNotBefore) {
  start();
  const auto judging = submit(order("a", "talk door"));
  std::atomic<int> calls = 0;
  std::promise<void> woken;
  const auto listener = judging->listen(Judging::kEnd, [&] {
    ++calls;
    woken.set_value();
  });
  while (events_after(*judging, 0).size() < 5)
    std::this_thread::yield();
  EXPECT_EQ(calls, 0);
  judge_->release("door");
  ASSERT_EQ(woken.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_NE(judging->view().result, nullptr);
  bool at_once = false;
  EXPECT_EQ(judging->listen(Judging::kEnd, [&] { at_once = true; }), nullptr);
  EXPECT_TRUE(at_once);
}

TEST_F(JudgingDesk, WhoIsToldOfAnEndMaySubmitTheSameAgain) {
  std::promise<bool> again;
  std::atomic<int> told = 0;
  start({}, [&](const Judging& judging, const judge::JudgeResult&) {
    if (told++ != 0) return;
    EXPECT_TRUE(judgings_->remove(judging.id()));
    const auto taken = judgings_->submit(order("a", "right"));
    again.set_value(taken && taken->is_new);
  });
  submit(order("a", "right"));
  EXPECT_TRUE(again.get_future().get());
  judgings_->drain(std::chrono::seconds(10));
  EXPECT_EQ(told, 2);  // and draining waits until they are told
}

TEST_F(JudgingDesk, DoesNotCallAListenerThatWasForgotten) {
  start();
  const auto judging = submit(order("a", "hold door"));
  ASSERT_TRUE(judge_->await_started(1));
  bool called = false;
  judging->listen(1000, [&] { called = true; }).reset();
  judge_->release("door");
  ASSERT_NE(await_result(*judging), nullptr);
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace assay::service
