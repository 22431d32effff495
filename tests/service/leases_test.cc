// Places that judgings borrow: in line with requests, given up when nobody wants them any more.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "tests/service/fake_engine.h"

namespace assay::service {
namespace {

class Leases : public testing::Test {
 protected:
  Leases() {
    char name[] = "/tmp/assay-leases-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
  }

  ~Leases() override {
    cores_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  void start(Options options) {
    auto engine = std::make_unique<FakeEngine>();
    engine_ = engine.get();
    service_ = std::make_unique<Service>(std::move(engine), *store_, options, nullptr);
    cores_ = service_->cores(0);
  }
  std::future<Results> send(std::vector<std::string> args) {
    auto promise = std::make_shared<std::promise<Results>>();
    auto answer = promise->get_future();
    service_->submit({.request = request_of(std::move(args)), .done = [promise](Results results) {
                        promise->set_value(std::move(results));
                      }});
    return answer;
  }
  bool await_queued(std::uint64_t count) {
    for (int i = 0; i < 10'000 && service_->snapshot().queued != count; ++i)
      std::this_thread::yield();
    return service_->snapshot().queued == count;
  }
  static bool never() { return false; }

  FakeEngine* engine_ = nullptr;
  std::string directory_;
  std::optional<store::Store> store_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<judge::Cores> cores_;
};

TEST_F(Leases, AreTheCoresOfAPlace) {
  start({.core_sets = {{1, 3}}});
  const auto lease = cores_->borrow({}, never);
  ASSERT_NE(lease, nullptr);
  EXPECT_EQ(lease->places, (std::vector<std::vector<unsigned>>{{1, 3}}));
  EXPECT_EQ(service_->snapshot().running, 1U);
}

TEST_F(Leases, KeepRequestsWaitingUntilTheyAreGivenBack) {
  start({.parallelism = 1});
  auto lease = cores_->borrow({}, never);
  auto answer = send({"echo", "later"});
  EXPECT_EQ(service_->snapshot().queued, 1U);
  EXPECT_TRUE(engine_->started().empty());
  lease.reset();
  EXPECT_TRUE(answer.get());
}

TEST_F(Leases, WaitForRequestsThatCameFirst) {
  start({.parallelism = 1});
  auto answer = send({"hold", "door"});
  ASSERT_TRUE(engine_->await_started(1));
  std::atomic<bool> has_it = false;
  std::jthread borrower([&] {
    const auto lease = cores_->borrow({}, never);
    has_it = lease != nullptr;
  });
  ASSERT_TRUE(await_queued(1));
  EXPECT_FALSE(has_it);
  engine_->release("door");
  borrower.join();
  EXPECT_TRUE(has_it);
  EXPECT_TRUE(answer.get());
}

TEST_F(Leases, AreNotGivenToWhoeverGaveUp) {
  start({.parallelism = 1});
  const auto first = cores_->borrow({}, never);
  std::atomic<bool> given_up = false;
  std::unique_ptr<judge::Cores::Lease> second;
  std::jthread borrower([&] { second = cores_->borrow({}, [&] { return given_up.load(); }); });
  ASSERT_TRUE(await_queued(1));
  given_up = true;
  cores_->look_again();
  borrower.join();
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(service_->snapshot().queued, 0U);
}

TEST_F(Leases, CountTheirMemory) {
  start({.parallelism = 2, .memory_limit = 100_MiB});
  auto lease = cores_->borrow({.memory = 80_MiB}, never);
  auto promise = std::make_shared<std::promise<Results>>();
  auto answer = promise->get_future();
  service_->submit(
      {.request = request_of({"echo", "large"}, 0, 40_MiB), .done = [promise](Results results) {
         promise->set_value(std::move(results));
       }});
  EXPECT_EQ(service_->snapshot().queued, 1U);
  lease.reset();
  EXPECT_TRUE(answer.get());
}

// Two that each held one place and waited for the next would wait for ever.
TEST_F(Leases, OfSeveralPlacesAreGivenAllAtOnce) {
  start({.core_sets = {{0}, {1}}});
  for (int round = 0; round < 200; ++round) {
    std::jthread other([&] { EXPECT_EQ(cores_->borrow({.places = 2}, never)->places.size(), 2U); });
    EXPECT_EQ(cores_->borrow({.places = 2}, never)->places.size(), 2U);
  }
  const auto one = cores_->borrow({}, never);
  std::atomic<bool> given_up = false;
  std::unique_ptr<judge::Cores::Lease> both;
  std::jthread borrower(
      [&] { both = cores_->borrow({.places = 2}, [&] { return given_up.load(); }); });
  ASSERT_TRUE(await_queued(1));
  given_up = true;
  cores_->look_again();
  borrower.join();
  EXPECT_EQ(both, nullptr);
}

TEST_F(Leases, OfMorePlacesThanThereAreAreAllThatThereAre) {
  start({.core_sets = {{3}}});
  EXPECT_EQ(cores_->borrow({.places = 2}, never)->places,
            (std::vector<std::vector<unsigned>>{{3}}));
}

TEST_F(Leases, AreStillGivenWhileTheServiceDrains) {
  start({.parallelism = 1});
  service_->drain(std::chrono::milliseconds(0));
  EXPECT_NE(cores_->borrow({}, never), nullptr);
}

}  // namespace
}  // namespace assay::service
