// Processes that clients hold, in the moment between their name and their job.
#include "service/processes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "tests/service/fake_engine.h"

namespace assay::service {
namespace {

using namespace std::chrono_literals;

// Calls somebody when a request is looked at: its process has a name then, and no job yet.
class GatedEngine final : public Engine {
 public:
  explicit GatedEngine(std::function<void()>& gate) : gate_(gate) {}
  [[nodiscard]] Status check(const exec::Request& request, bool live) const override {
    if (gate_) gate_();
    return engine_.check(request, live);
  }
  Results run(const exec::Request& request, const exec::Session& session) override {
    return engine_.run(request, session);
  }

 private:
  std::function<void()>& gate_;
  FakeEngine engine_;
};

class HeldProcesses : public testing::Test {
 protected:
  HeldProcesses() {
    char name[] = "/tmp/assay-processes-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    service_.emplace(std::make_unique<GatedEngine>(gate_), *store_, Options{.parallelism = 2},
                     nullptr);
    processes_.emplace(*service_, ProcessOptions{.grace = 0ms});
  }
  ~HeldProcesses() override {
    processes_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }
  bool await_none() {
    const auto patience = std::chrono::steady_clock::now() + 10s;
    while (!processes_->list().empty() && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    return processes_->list().empty();
  }
  static ProcessOrder endless(std::optional<std::chrono::milliseconds> idle = {}) {
    return {.command = {.args = {"hold", "for ever"}}, .idle = idle};
  }

  std::function<void()> gate_;
  std::string directory_;
  std::optional<store::Store> store_;
  std::optional<Service> service_;
  std::optional<Processes> processes_;
};

// One of a hundred once ran on, and nobody had its name any more.
TEST_F(HeldProcesses, OneThatExpiresBeforeItsJobIsThereIsEnded) {
  gate_ = [this] {
    EXPECT_TRUE(await_none()) << "it has not expired";
  };
  const auto process = processes_->start(endless(1ms));
  ASSERT_TRUE(process) << describe(process.error());
  EXPECT_TRUE((*process)->process().await_end(10s)) << "it runs, and nobody owns it";
}

TEST_F(HeldProcesses, OneThatIsDeletedBeforeItsJobIsThereIsEnded) {
  std::thread deleter;
  bool deleted = false;
  gate_ = [&] {
    const std::string id = processes_->list().at(0)->id();
    deleter = std::thread([&, id] { deleted = processes_->terminate(id).has_value(); });
    EXPECT_TRUE(await_none());
  };
  const auto process = processes_->start(endless());
  EXPECT_TRUE(process) << describe(process.error());
  deleter.join();  // would wait for ever
  EXPECT_TRUE(deleted);
  EXPECT_TRUE(process && (*process)->process().is_over());
}

TEST_F(HeldProcesses, OneThatIsDeletedLaterIsEnded) {
  const auto process = processes_->start({.command = {.args = {"cat"}}});
  ASSERT_TRUE(process) << describe(process.error());
  EXPECT_TRUE(processes_->terminate((*process)->id()));
  EXPECT_TRUE((*process)->process().is_over());
}

}  // namespace
}  // namespace assay::service
