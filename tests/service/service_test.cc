#include "service/service.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>

#include "tests/service/fake_engine.h"

namespace assay::service {
namespace {

// A service with a fake engine, and a store that nobody looks at.
class Desks : public testing::Test {
 protected:
  Desks() {
    char name[] = "/tmp/assay-service-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
  }
  ~Desks() override {
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  Service& start(Options options, Observer observer = {}) {
    auto engine = std::make_unique<FakeEngine>();
    engine_ = engine.get();
    service_ = std::make_unique<Service>(std::move(engine), *store_, options, std::move(observer));
    return *service_;
  }

  struct Sent {
    std::shared_ptr<Job> job;
    std::future<Results> answer;
  };
  Sent submit(Submission submission) {
    auto promise = std::make_shared<std::promise<Results>>();
    auto answer = promise->get_future();
    submission.done = [promise](Results results) {
      promise->set_value(std::move(results));
    };
    auto job = service_->submit(std::move(submission));
    return {std::move(job), std::move(answer)};
  }
  Sent send(std::vector<std::string> args, int priority = 0, Bytes memory = {}) {
    return submit(Submission{.request = request_of(std::move(args), priority, memory)});
  }

  FakeEngine* engine_ = nullptr;
  std::string directory_;
  std::optional<store::Store> store_;
  std::unique_ptr<Service> service_;
};

TEST_F(Desks, RunOneAfterTheOtherInTheOrderOfArrival) {
  start({.parallelism = 1});
  auto first = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  std::vector<Sent> rest;
  for (const char* name : {"a", "b", "c"})
    rest.push_back(send({"echo", name}));
  engine_->release("door");
  for (Sent& sent : rest)
    EXPECT_TRUE(sent.answer.get());
  EXPECT_EQ(engine_->started(),
            (std::vector<std::string>{"hold door", "echo a", "echo b", "echo c"}));
  EXPECT_EQ(engine_->most_at_once(), 1U);
}

TEST_F(Desks, LetAHigherPriorityGoFirst) {
  start({.parallelism = 1});
  auto first = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  std::vector<Sent> rest;
  rest.push_back(send({"echo", "low"}, -1));
  rest.push_back(send({"echo", "normal"}));
  rest.push_back(send({"echo", "high"}, 5));
  rest.push_back(send({"echo", "high too"}, 5));
  engine_->release("door");
  for (Sent& sent : rest)
    EXPECT_TRUE(sent.answer.get());
  EXPECT_EQ(engine_->started(), (std::vector<std::string>{"hold door", "echo high", "echo high too",
                                                          "echo normal", "echo low"}));
}

TEST_F(Desks, RunAsManyAtATimeAsToldAndNoMore) {
  start({.parallelism = 3});
  std::vector<Sent> sent;
  for (int i = 0; i < 6; ++i)
    sent.push_back(send({"hold", "all"}));
  ASSERT_TRUE(engine_->await_started(3));
  EXPECT_EQ(service_->snapshot().running, 3U);
  EXPECT_EQ(service_->snapshot().queued, 3U);
  engine_->release("all");
  for (Sent& one : sent)
    EXPECT_TRUE(one.answer.get());
  EXPECT_EQ(engine_->most_at_once(), 3U);
}

TEST_F(Desks, LendEachRequestTheCoresOfItsPlace) {
  start({.parallelism = 7, .core_sets = {{0}, {2, 3}}});
  EXPECT_EQ(service_->snapshot().workers, 2U);
  auto one = send({"hold", "x"});
  auto two = send({"hold", "x"});
  ASSERT_TRUE(engine_->await_started(2));
  auto cores = engine_->cores();
  std::ranges::sort(cores);
  EXPECT_EQ(cores, (std::vector<std::vector<unsigned>>{{0}, {2, 3}}));
  engine_->release("x");
}

TEST_F(Desks, KeepAQueuedRequestWaitingUntilItsMemoryIsFree) {
  start({.parallelism = 4, .memory_limit = 100_MiB});
  auto large = send({"hold", "large"}, 0, 80_MiB);
  ASSERT_TRUE(engine_->await_started(1));
  auto second = send({"hold", "second"}, 0, 30_MiB);
  auto third = send({"hold", "third"}, 0, 10_MiB);  // would fit, but must not overtake
  EXPECT_EQ(service_->snapshot().queued, 2U);
  EXPECT_EQ(service_->snapshot().memory_promised, 80_MiB);
  engine_->release("large");
  ASSERT_TRUE(engine_->await_started(3));
  EXPECT_EQ(service_->snapshot().memory_promised, 40_MiB);
  engine_->release("second");
  engine_->release("third");
}

TEST_F(Desks, RunARequestLargerThanAllMemoryAlone) {
  start({.parallelism = 2, .memory_limit = 100_MiB});
  auto small = send({"hold", "small"}, 0, 1_MiB);
  ASSERT_TRUE(engine_->await_started(1));
  auto giant = send({"hold", "giant"}, 0, 4_GiB);
  EXPECT_EQ(service_->snapshot().queued, 1U);
  engine_->release("small");
  ASSERT_TRUE(engine_->await_started(2));
  auto after = send({"echo", "after"}, 0, 1_MiB);
  EXPECT_EQ(service_->snapshot().queued, 1U);
  engine_->release("giant");
  EXPECT_TRUE(after.answer.get());
  EXPECT_EQ(engine_->most_at_once(), 1U);
}

TEST_F(Desks, CountTheDefaultForACommandThatNamesNoMemory) {
  start({.parallelism = 2, .memory_limit = 100_MiB, .default_memory = 60_MiB});
  auto one = send({"hold", "x"});
  ASSERT_TRUE(engine_->await_started(1));
  auto two = send({"hold", "x"});
  EXPECT_EQ(service_->snapshot().queued, 1U);
  engine_->release("x");
}

TEST_F(Desks, RunOnTheCallersThreadWhenAPlaceIsFree) {
  start({.parallelism = 1});
  auto sent = submit(Submission{.request = request_of({"echo", "hi"}), .run_here = true});
  EXPECT_EQ(sent.job, nullptr);
  auto results = sent.answer.get();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->at(0).files.at("stdout"), "hi");
  EXPECT_EQ(engine_->threads().at(0), std::this_thread::get_id());
}

TEST_F(Desks, NeverOvertakeAWaitingRequestOnTheCallersThread) {
  start({.parallelism = 1});
  auto first = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  auto waiting = send({"echo", "waiting"});
  auto here = submit(Submission{.request = request_of({"echo", "here"}), .run_here = true});
  EXPECT_NE(here.job, nullptr);
  engine_->release("door");
  EXPECT_TRUE(here.answer.get());
  EXPECT_EQ(engine_->started().at(1), "echo waiting");
}

TEST_F(Desks, LetAStreamSkipTheQueue) {
  start({.parallelism = 1, .queue_limit = 0, .stream_limit = 1});
  auto first = submit(Submission{.request = request_of({"hold", "door"}), .skip_queue = true});
  ASSERT_TRUE(engine_->await_started(1));
  auto over = submit(Submission{.request = request_of({"hold", "door"}), .skip_queue = true});
  auto refused = over.answer.get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "worker queue is full");
  auto other = submit(Submission{.request = request_of({"echo", "x"}), .run_here = true});
  EXPECT_TRUE(other.answer.get());  // the stream holds no place
  engine_->release("door");
  EXPECT_TRUE(first.answer.get());
}

TEST_F(Desks, RefuseWhatDoesNotFitIntoTheQueue) {
  start({.parallelism = 1, .queue_limit = 1});
  auto running = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  auto queued = send({"echo", "x"});
  auto refused = send({"echo", "y"});
  EXPECT_EQ(refused.job, nullptr);
  auto results = refused.answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().fault, Fault::Busy);
  EXPECT_EQ(results.error().context, "worker queue is full");
  EXPECT_EQ(service_->snapshot().refused, 1U);
  engine_->release("door");
}

TEST_F(Desks, RefuseWhatTheEngineSaysIsWrongBeforeItWaits) {
  start({.parallelism = 1});
  auto results = send({"bad"}).answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().fault, Fault::InvalidRequest);
  EXPECT_TRUE(engine_->started().empty());
}

TEST_F(Desks, CancelAWaitingRequestWithoutRunningIt) {
  start({.parallelism = 1});
  auto running = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  auto waiting = send({"echo", "never"});
  waiting.job->cancel();
  auto results = waiting.answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().context, "cancelled before execute");
  waiting.job->cancel();  // over: nothing
  engine_->release("door");
  EXPECT_TRUE(running.answer.get());
  EXPECT_EQ(engine_->started().size(), 1U);
  EXPECT_EQ(service_->snapshot().cancelled, 1U);
}

TEST_F(Desks, KillARunningRequestWhenItIsCancelled) {
  start({.parallelism = 1});
  auto running = send({"hold", "for ever"});
  ASSERT_TRUE(engine_->await_started(1));
  running.job->cancel();
  auto results = running.answer.get();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->at(0).status, exec::RunStatus::Signalled);
}

TEST_F(Desks, LetAJobBeCancelledAfterTheServiceHasGone) {
  start({.parallelism = 1});
  auto sent = send({"hold", "x"});
  ASSERT_TRUE(engine_->await_started(1));
  service_.reset();
  ASSERT_TRUE(sent.answer.get());
  sent.job->cancel();
}

struct Line {
  os::OwnedFd ours, theirs;
};
Line make_line() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {os::OwnedFd(ends[0]), os::OwnedFd(ends[1])};
}

TEST_F(Desks, CancelARunningRequestWhenItsPeerHangsUp) {
  start({.parallelism = 1});
  Line line = make_line();
  auto sent = submit(Submission{.request = request_of({"hold", "x"}), .hangup = line.ours.get()});
  ASSERT_TRUE(engine_->await_started(1));
  line.theirs.reset();
  auto results = sent.answer.get();
  ASSERT_TRUE(results);
  EXPECT_EQ(results->at(0).status, exec::RunStatus::Signalled);
  EXPECT_EQ(service_->snapshot().cancelled, 1U);
}

TEST_F(Desks, EndARequestInLineWhosePeerHungUpWhileTheOthersGoOnWaiting) {
  start({.parallelism = 1});
  auto running = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  auto before = send({"echo", "before"});
  Line left = make_line(), stays = make_line();
  auto gone = submit(Submission{.request = request_of({"echo", "x"}), .hangup = left.ours.get()});
  auto here = submit(Submission{.request = request_of({"echo", "y"}), .hangup = stays.ours.get()});
  left.theirs.reset();
  service_->dismiss_the_gone();
  auto results = gone.answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().context, "cancelled before execute");
  EXPECT_EQ(service_->snapshot().queued, 2U);
  EXPECT_EQ(service_->snapshot().cancelled, 1U);
  gone.job->cancel();  // over: nothing
  engine_->release("door");
  EXPECT_TRUE(running.answer.get());
  EXPECT_TRUE(before.answer.get());
  EXPECT_TRUE(here.answer.get());
  EXPECT_EQ(service_->snapshot().cancelled, 1U);
}

TEST_F(Desks, GiveThePlaceInLineOfOneWhoHungUpToTheLiving) {
  start({.parallelism = 1, .queue_limit = 2});
  auto running = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  Line one = make_line(), two = make_line();
  auto gone = submit(Submission{.request = request_of({"echo", "1"}), .hangup = one.ours.get()});
  auto here = submit(Submission{.request = request_of({"echo", "2"}), .hangup = two.ours.get()});
  one.theirs.reset();
  auto late = send({"echo", "late"});  // nobody has looked since
  EXPECT_FALSE(gone.answer.get());
  auto refused = send({"echo", "one too many"}).answer.get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "worker queue is full");
  engine_->release("door");
  EXPECT_TRUE(here.answer.get());
  EXPECT_TRUE(late.answer.get());
  EXPECT_EQ(service_->snapshot().refused, 1U);
}

TEST_F(Desks, LetASmallRequestStartWhenALargeOneBeforeItHungUp) {
  start({.parallelism = 2, .memory_limit = 100_MiB});
  auto running = send({"hold", "door"}, 0, 60_MiB);
  ASSERT_TRUE(engine_->await_started(1));
  Line line = make_line();
  auto large = submit(
      Submission{.request = request_of({"echo", "x"}, 0, 90_MiB), .hangup = line.ours.get()});
  auto small = send({"echo", "y"}, 0, 10_MiB);
  line.theirs.reset();
  service_->dismiss_the_gone();
  EXPECT_FALSE(large.answer.get());
  EXPECT_TRUE(small.answer.get());
  engine_->release("door");
  EXPECT_TRUE(running.answer.get());
}

TEST_F(Desks, NotStartARequestWhosePeerHungUpWhileItWaited) {
  start({.parallelism = 1});
  auto running = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  Line line = make_line();
  auto sent = submit(Submission{.request = request_of({"echo", "x"}), .hangup = line.ours.get()});
  line.theirs.reset();
  engine_->release("door");
  auto results = sent.answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().context, "cancelled before execute");
  EXPECT_EQ(engine_->started().size(), 1U);
  EXPECT_EQ(service_->snapshot().cancelled, 1U);
}

TEST_F(Desks, PassTheEnginesErrorOn) {
  start({.parallelism = 1});
  auto results = send({"missing"}).answer.get();
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().fault, Fault::NotFound);
  EXPECT_TRUE(send({"echo", "still alive"}).answer.get());
}

TEST_F(Desks, ShowEveryFinishedCommandToTheObserver) {
  std::atomic<int> seen = 0;
  start({.parallelism = 1}, [&](const exec::CommandResult& result) {
    EXPECT_EQ(result.status, exec::RunStatus::Accepted);
    ++seen;
  });
  auto request = request_of({"echo", "a"});
  request.commands.push_back(request.commands[0]);
  EXPECT_TRUE(submit(Submission{.request = request}).answer.get());
  EXPECT_FALSE(send({"broken"}).answer.get());
  EXPECT_EQ(seen, 2);
}

TEST_F(Desks, FinishWhatTheyHaveAndTakeNothingMoreWhenDraining) {
  start({.parallelism = 1});
  auto running = send({"hold", "door"});
  auto waiting = send({"echo", "x"});
  ASSERT_TRUE(engine_->await_started(1));
  std::thread drain([&] { service_->drain(std::chrono::seconds(30)); });
  while (!service_->snapshot().draining)
    std::this_thread::yield();
  auto late = send({"echo", "late"}).answer.get();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().context, "worker is shutting down");
  engine_->release("door");
  drain.join();
  EXPECT_TRUE(running.answer.get());
  EXPECT_TRUE(waiting.answer.get());
}

TEST_F(Desks, CancelTheRestWhenPatienceEnds) {
  start({.parallelism = 1});
  auto running = send({"hold", "for ever"});
  ASSERT_TRUE(engine_->await_started(1));
  auto waiting = send({"echo", "x"});
  service_->drain(std::chrono::milliseconds(1));
  auto killed = running.answer.get();
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->at(0).status, exec::RunStatus::Signalled);
  auto never = waiting.answer.get();
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().context, "worker is shutting down");
}

TEST_F(Desks, TellEveryoneExactlyOnceWhateverHappensAtTheSameTime) {
  constexpr int kThreads = 4, kEach = 250;
  std::vector<std::atomic<int>> told(kThreads * kEach);
  start({.parallelism = 3, .queue_limit = 20, .memory_limit = 10_MiB});
  std::vector<std::thread> clients;
  for (int client = 0; client < kThreads; ++client) {
    clients.emplace_back([&, client] {
      for (int i = 0; i < kEach; ++i) {
        auto& mine = told[static_cast<std::size_t>(client * kEach + i)];
        const bool hold = i % 3 == 0;
        auto job = service_->submit(
            {.request = request_of(hold ? std::vector<std::string>{"hold", "never"}
                                        : std::vector<std::string>{"echo", "x"},
                                   i % 4, Bytes{static_cast<std::uint64_t>(i) << 15U}),
             .done = [&mine](const Results&) { ++mine; },
             .run_here = !hold && i % 2 == 0,
             .skip_queue = i % 17 == 0});
        if (job != nullptr && (hold || i % 5 == 0)) job->cancel();
      }
    });
  }
  for (std::thread& client : clients)
    client.join();
  service_.reset();
  for (const auto& count : told)
    EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace assay::service
