#include <thread>

#include "tests/grpc/fixture_judging.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;
using Event = v1::JudgingEvent;

class JudgingWatch : public JudgingTest {
 protected:
  void start(const std::string& language) {
    auto order = request(language, 2);
    order.set_submission_id("s");
    v1::JudgingState state;
    ASSERT_TRUE(submit(order, &state).ok());
  }
  static v1::WatchRequest from(std::uint64_t after, const std::string& id = "s") {
    v1::WatchRequest request;
    request.set_submission_id(id);
    request.set_after(after);
    return request;
  }
  std::vector<Event> all(std::uint64_t after) {
    grpc::ClientContext context;
    const auto stream = judging_->Watch(&context, from(after));
    std::vector<Event> events;
    for (Event event; stream->Read(&event);)
      events.push_back(event);
    EXPECT_TRUE(stream->Finish().ok());
    return events;
  }
};

TEST_F(JudgingWatch, TellsEveryStepAndEndsWithTheResult) {
  serve_judging();
  start("hold it");
  grpc::ClientContext context;
  const auto stream = judging_->Watch(&context, from(0));
  Event event;
  for (const auto step : {Event::STEP_QUEUED, Event::STEP_BEGUN, Event::STEP_COMPILED}) {
    ASSERT_TRUE(stream->Read(&event));
    EXPECT_EQ(event.event(), step);
  }
  EXPECT_EQ(event.compile().log(), "fine");
  judge_->release("it");
  for (const char* test : {"1", "2"}) {
    ASSERT_TRUE(stream->Read(&event));
    EXPECT_EQ(event.event(), Event::STEP_TEST);
    EXPECT_EQ(event.test().test_id(), test);
  }
  ASSERT_TRUE(stream->Read(&event));
  EXPECT_EQ(event.number(), 6U);
  EXPECT_EQ(event.event(), Event::STEP_RESULT);
  EXPECT_EQ(event.result().verdict(), "AC");
  EXPECT_FALSE(stream->Read(&event));
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(JudgingWatch, ToldAfterTheEndItTellsEverythingAgain) {
  serve_judging();
  start("right");
  await_open(0);
  const auto events = all(0);
  ASSERT_EQ(events.size(), 6U);
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(events[i].number(), i + 1);
}

TEST_F(JudgingWatch, TellsOnlyWhatComesAfterWhatTheClientHasSeen) {
  serve_judging();
  start("right");
  await_open(0);
  const auto events = all(4);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].number(), 5U);
  EXPECT_EQ(events[1].event(), Event::STEP_RESULT);
  EXPECT_TRUE(all(6).empty());
}

// It saw them in an earlier life of the server, in which there were more.
TEST_F(JudgingWatch, AClientThatHasSeenMoreThanThereIsIsToldEverything) {
  serve_judging();
  start("hold it");
  ASSERT_TRUE(judge_->await_started(1));
  grpc::ClientContext context;
  const auto stream = judging_->Watch(&context, from(1'000));
  judge_->release("it");
  Event event;
  for (std::uint64_t number = 1; number <= 6; ++number) {
    ASSERT_TRUE(stream->Read(&event));
    EXPECT_EQ(event.number(), number);
  }
  EXPECT_EQ(event.event(), Event::STEP_RESULT);
  EXPECT_FALSE(stream->Read(&event));
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_EQ(all(UINT64_MAX).size(), 6U);
}

TEST_F(JudgingWatch, AnUnknownSubmissionIsNotFound) {
  serve_judging();
  grpc::ClientContext context;
  const auto stream = judging_->Watch(&context, from(0, "nobody"));
  Event event;
  EXPECT_FALSE(stream->Read(&event));
  const auto status = stream->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(status.error_message(), "no submission 'nobody'");
}

// The watcher's share of the judging is the last one when everybody else has forgotten it.
TEST_F(JudgingWatch, AWatcherThatGoesIsForgottenWhileTheJudgingGoesOn) {
  serve_judging();
  start("hold it");
  const auto judging = judgings_->find("s");
  ASSERT_TRUE(judging);
  const long before = judging->use_count();
  {
    grpc::ClientContext context;
    const auto stream = judging_->Watch(&context, from(0));
    Event event;
    for (int i = 0; i < 3; ++i)
      ASSERT_TRUE(stream->Read(&event));
    EXPECT_GT(judging->use_count(), before);
    context.TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), StatusCode::CANCELLED);
  }
  while (judging->use_count() > before)  // the test's time limit is the judge of this
    std::this_thread::yield();
  judge_->release("it");
  await_open(0);
  EXPECT_EQ(all(0).size(), 6U);
}

TEST_F(JudgingWatch, HundredsOfWatchersNeedNoThreadsAndAllSeeTheEnd) {
  serve_judging();
  start("hold it");
  ASSERT_TRUE(judge_->await_started(1));
  constexpr std::size_t kWatchers = 300;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<Event>>> streams;
  Event event;
  for (std::size_t i = 0; i < kWatchers; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(judging_->Watch(contexts.back().get(), from(0)));
    ASSERT_TRUE(streams.back()->Read(&event));
  }
  v1::JudgingState state;
  ASSERT_TRUE(get("s", &state).ok());  // others are served meanwhile
  judge_->release("it");
  for (const auto& stream : streams) {
    while (stream->Read(&event)) {
    }
    EXPECT_EQ(event.event(), Event::STEP_RESULT);
    EXPECT_TRUE(stream->Finish().ok());
  }
}

// The result is one message of any size, which a client that does not read has us keep.
TEST_F(JudgingWatch, AResultForWhichThereIsNoRoomIsNotTold) {
  serve_judging({.message_size = 256_KiB, .buffered = 1_MiB});
  judge_->swell("lint", 2 << 20);
  start("hold it");  // or the answer might be the result already
  judge_->release("it");
  await_open(0);
  grpc::ClientContext context;
  const auto stream = judging_->Watch(&context, from(0));
  Event event;
  for (std::uint64_t number = 1; number <= 5; ++number)
    ASSERT_TRUE(stream->Read(&event));
  EXPECT_FALSE(stream->Read(&event));
  EXPECT_EQ(stream->Finish().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  v1::JudgingState state;
  EXPECT_EQ(get("s", &state).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  auto again = request("hold it", 2);
  again.set_submission_id("s");
  EXPECT_EQ(submit(again, &state).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  again.set_wait(true);
  EXPECT_EQ(submit(again, &state).error_code(), StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(JudgingWatch, AResultThatWasToldTakesNoRoomAnyMore) {
  serve_judging({.message_size = 256_KiB, .buffered = 1_MiB});
  judge_->swell("lint", 600 << 10);
  start("right");
  await_open(0);
  for (int i = 0; i < 4; ++i) {  // the share of a call may outlive its answer by a moment
    while (true) {
      v1::JudgingState state;
      const auto status = get("s", &state);
      if (status.ok()) break;
      ASSERT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
      std::this_thread::yield();  // the test's time limit is the judge of this
    }
  }
}

TEST_F(JudgingWatch, AStreamEndsWhenTheServerStops) {
  serve_judging();
  start("hold for ever");
  grpc::ClientContext context;
  const auto stream = judging_->Watch(&context, from(0));
  Event event;
  ASSERT_TRUE(stream->Read(&event));
  server_->stop(std::chrono::milliseconds(1));
  while (stream->Read(&event)) {
  }
  EXPECT_FALSE(stream->Finish().ok());
}

}  // namespace
}  // namespace assay::transport::module
