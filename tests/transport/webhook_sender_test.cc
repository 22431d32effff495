#include "transport/webhook_sender.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

struct Posted {
  std::string url{};
  std::vector<std::string> fields{};
  std::string body{};
  std::string method{};
};

// What a poster and a log see, shared with the test.
class Scene {
 public:
  WebhookAnswer post(const WebhookRequest& request, const std::atomic<bool>& abort) {
    std::unique_lock held(lock_);
    posted_.push_back({request.url, request.fields, std::string(request.body), request.method});
    changed_.notify_all();
    if (request.url.find("hang") != std::string::npos) {
      while (!abort && !released_)
        changed_.wait_for(held, 2ms);
      return abort ? WebhookAnswer{.trouble = "aborted"} : WebhookAnswer{.status = released_as_};
    }
    if (answers_.empty()) return {.status = 200};
    const WebhookAnswer answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  void report(const WebhookReport& what) {
    const std::lock_guard guard(lock_);
    reports_.push_back(what);
    changed_.notify_all();
  }

  void answer(std::deque<WebhookAnswer> answers) {
    const std::lock_guard guard(lock_);
    answers_ = std::move(answers);
  }
  void release() {
    const std::lock_guard guard(lock_);
    released_ = true;
    changed_.notify_all();
  }
  void fail_when_released() {
    const std::lock_guard guard(lock_);
    released_as_ = 500;
  }
  std::vector<Posted> await_posts(std::size_t count) {
    std::unique_lock held(lock_);
    EXPECT_TRUE(changed_.wait_for(held, 10s, [&] { return posted_.size() >= count; }));
    return posted_;
  }
  std::vector<WebhookReport> await_reports(std::size_t count) {
    std::unique_lock held(lock_);
    EXPECT_TRUE(changed_.wait_for(held, 10s, [&] { return reports_.size() >= count; }));
    return reports_;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<WebhookAnswer> answers_;
  std::vector<Posted> posted_;
  std::vector<WebhookReport> reports_;
  bool released_ = false;
  int released_as_ = 200;
};

class ScenePoster final : public WebhookPoster {
 public:
  explicit ScenePoster(Scene& scene) : scene_(scene) {}
  WebhookAnswer post(const WebhookRequest& request, const std::atomic<bool>& abort) override {
    return scene_.post(request, abort);
  }

 private:
  Scene& scene_;
};

class Sending : public testing::Test {
 protected:
  void start(WebhookSender::Options options = {}) {
    options.secret = "key";
    options.report = [this](const WebhookReport& what) {
      scene_.report(what);
    };
    sender_.emplace(std::make_unique<ScenePoster>(scene_), std::move(options));
  }
  static WebhookSender::Options quick(std::chrono::milliseconds delay = 1ms) {
    WebhookSender::Options options;
    options.delay = [delay](unsigned attempts) -> std::optional<std::chrono::milliseconds> {
      return webhook_delay(attempts) ? std::optional(delay) : std::nullopt;
    };
    return options;
  }

  Scene scene_;
  std::optional<WebhookSender> sender_;
};

TEST_F(Sending, ASignedResultIsPostedOnce) {
  start();
  sender_->put({.url = "http://a/x?token=t", .submission = "s", .body = "{}"});
  const auto reports = scene_.await_reports(1);
  EXPECT_TRUE(reports[0].delivered);
  EXPECT_EQ(reports[0].attempts, 1U);
  EXPECT_EQ(reports[0].place, "http://a/x");  // a query may be a secret
  const auto posts = scene_.await_posts(1);
  ASSERT_EQ(posts.size(), 1U);
  EXPECT_EQ(posts[0].url, "http://a/x?token=t");
  EXPECT_EQ(posts[0].body, "{}");
  EXPECT_EQ(posts[0].fields[1], "X-Assay-Submission: s");
}

TEST_F(Sending, ServerErrorsAndSilenceAreTriedAgainUntilItWorks) {
  start(quick());
  scene_.answer({{.status = 500}, {.trouble = "refused"}, {.status = 429}, {.status = 204}});
  sender_->put({.url = "http://a/", .submission = "s", .body = "{}"});
  const auto reports = scene_.await_reports(4);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(reports[i].will_retry && !reports[i].delivered) << i;
  EXPECT_EQ(reports[0].reason, "answered 500");
  EXPECT_EQ(reports[1].reason, "refused");
  EXPECT_TRUE(reports[3].delivered);
  EXPECT_EQ(reports[3].attempts, 4U);
}

TEST_F(Sending, ItGivesUpAfterSevenAttempts) {
  start(quick());
  scene_.answer(std::deque<WebhookAnswer>(20, {.status = 503}));
  sender_->put({.url = "http://a/", .submission = "s", .body = "{}"});
  const auto reports = scene_.await_reports(7);
  EXPECT_FALSE(reports[6].will_retry);
  EXPECT_FALSE(reports[6].delivered);
  sender_->stop(10s);
  EXPECT_EQ(scene_.await_posts(7).size(), 7U);
}

TEST_F(Sending, ARefusalIsFinal) {
  start(quick());
  scene_.answer({{.status = 302}, {.status = 404}});
  sender_->put({.url = "http://a/", .submission = "one", .body = "{}"});
  EXPECT_EQ(scene_.await_reports(1)[0].reason, "answered 302");
  sender_->put({.url = "http://a/", .submission = "two", .body = "{}"});
  const auto reports = scene_.await_reports(2);
  EXPECT_FALSE(reports[0].will_retry || reports[1].will_retry);
}

TEST_F(Sending, AReceiverThatHangsLeavesThreadsToOthers) {
  start();
  for (int i = 0; i < 20; ++i)
    sender_->put({.url = "http://slow/hang", .submission = "slow", .body = "{}"});
  sender_->put({.url = "http://quick/", .submission = "quick", .body = "{}"});
  const auto reports = scene_.await_reports(1);
  EXPECT_EQ(reports[0].submission, "quick");
  scene_.release();
  EXPECT_EQ(scene_.await_reports(21).size(), 21U);
}

TEST_F(Sending, TheQueueHasBoundsInNumberAndInBytes) {
  WebhookSender::Options options;
  options.queue_count = 3;
  options.queue_size = 10_B;
  start(options);
  sender_->put({.url = "http://a/hang", .submission = "large", .body = "more than ten bytes"});
  for (const char* id : {"1", "2", "3", "4"})
    sender_->put({.url = "http://a/hang", .submission = id, .body = "{}"});
  const auto reports = scene_.await_reports(2);
  EXPECT_EQ(reports[0].submission, "large");
  EXPECT_EQ(reports[1].submission, "4");
  EXPECT_EQ(reports[1].reason, "too many results wait to be sent");
  scene_.release();
  EXPECT_EQ(scene_.await_reports(5).size(), 5U);
  sender_->put({.url = "http://a/", .submission = "5", .body = "0123456789"});  // all is free again
  EXPECT_TRUE(scene_.await_reports(6)[5].delivered);
}

TEST_F(Sending, WhatCameOnceMoreIsNotSentAsItWasBefore) {
  start(quick(1h));
  scene_.answer({{.status = 500}, {.status = 500}, {.status = 500}});
  sender_->put({.url = "http://a/", .submission = "s", .body = "old", .number = 1});
  sender_->put({.url = "http://a/", .submission = "s", .body = "new", .number = 2});
  sender_->put({.url = "http://a/", .submission = "other", .body = "x", .number = 1});
  scene_.await_reports(3);
  EXPECT_EQ(sender_->count(), 3U);
  sender_->drop("s", 2);
  EXPECT_EQ(scene_.await_reports(4)[3].reason, "it is judged again");
  EXPECT_EQ(sender_->count(), 2U);
  sender_->stop(10s);
  std::multiset<std::string> bodies;
  for (const Posted& posted : scene_.await_posts(5))
    bodies.insert(posted.body);
  EXPECT_EQ(bodies, (std::multiset<std::string>{"old", "new", "new", "x", "x"}));
}

TEST_F(Sending, NorIsOneThatWasOnItsWayTriedAgain) {
  start(quick());
  scene_.fail_when_released();
  sender_->put({.url = "http://a/hang", .submission = "s", .body = "old", .number = 1});
  scene_.await_posts(1);
  sender_->drop("s", 2);
  scene_.release();
  EXPECT_FALSE(scene_.await_reports(1)[0].will_retry);
  EXPECT_EQ(sender_->count(), 0U);
}

TEST_F(Sending, TheMethodIsTheSendersChoice) {
  start();
  sender_->put({.url = "http://a/", .submission = "s", .body = "{}", .method = "PUT"});
  EXPECT_EQ(scene_.await_posts(1)[0].method, "PUT");
}

TEST_F(Sending, StoppingTriesOnceMoreWhatWaits) {
  start(quick(1h));
  scene_.answer({{.status = 500}, {.status = 500}});
  sender_->put({.url = "http://a/", .submission = "one", .body = "{}"});
  sender_->put({.url = "http://b/", .submission = "two", .body = "{}"});
  scene_.await_reports(2);
  scene_.answer({{.status = 200}, {.status = 500}});
  sender_->stop(10s);
  const auto reports = scene_.await_reports(4);
  ASSERT_EQ(reports.size(), 4U);
  EXPECT_NE(reports[2].delivered, reports[3].delivered);
  EXPECT_FALSE(reports[2].will_retry || reports[3].will_retry);
}

TEST_F(Sending, StoppingEndsInTimeAndTellsWhatIsLost) {
  start();
  for (const char* id : {"1", "2", "3", "4"})
    sender_->put({.url = "http://a/hang", .submission = id, .body = "{}"});
  scene_.await_posts(2);
  const auto before = std::chrono::steady_clock::now();
  sender_->stop(20ms);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 5s);
  const auto reports = scene_.await_reports(4);
  std::set<std::string> lost;
  for (const WebhookReport& report : reports)
    if (!report.delivered && !report.will_retry) lost.insert(report.submission);
  EXPECT_EQ(lost.size(), 4U);
  sender_->put({.url = "http://a/", .submission = "late", .body = "{}"});
  EXPECT_EQ(scene_.await_reports(5)[4].reason, "we are stopping");
}

}  // namespace
}  // namespace assay::transport
