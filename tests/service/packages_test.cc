#include "service/packages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "tests/service/fake_engine.h"

namespace assay::service {
namespace {

class PackageDesk : public testing::Test {
 protected:
  PackageDesk() {
    char name[] = "/tmp/assay-packages-XXXXXX";
    directory_ = ::mkdtemp(name);
    auto opened = store::Store::open({.directory = directory_, .temporary = true});
    EXPECT_TRUE(opened) << describe(opened.error());
    store_.emplace(std::move(*opened));
    service_.emplace(std::make_unique<FakeEngine>(), *store_, Options{.parallelism = 1}, nullptr);
  }
  ~PackageDesk() override {
    packages_.reset();
    service_.reset();
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  // "hold" is unpacked until it is cancelled; anything else is a problem whose input file it is.
  void start() {
    packages_.emplace(*service_,
                      [this](const judge::Content& archive,
                             judge::Cancellation& cancellation) -> Result<judge::Problem> {
                        ++at_once_;
                        EXPECT_EQ(at_once_, 1);
                        if (archive.text == "hold") hold(cancellation);
                        --at_once_;
                        if (archive.text.empty()) return invalid("empty");
                        if (archive.text == "throw") throw std::bad_alloc();
                        return judge::Problem{.input_file = archive.text};
                      });
  }
  void hold(judge::Cancellation& cancellation) {
    std::promise<void> cancelled;
    const judge::Cancellation::Watch watch(cancellation, [&] { cancelled.set_value(); });
    holding_.set_value();
    cancelled.get_future().wait();
  }
  std::future<Result<judge::Problem>> load(const std::string& archive) {
    auto told = std::make_shared<std::promise<Result<judge::Problem>>>();
    packages_->load({.text = archive}, [told](Result<judge::Problem> problem) {
      told->set_value(std::move(problem));
    });
    return told->get_future();
  }

  std::string directory_;
  std::optional<store::Store> store_;
  std::optional<Service> service_;
  std::atomic<int> at_once_ = 0;
  std::promise<void> holding_;
  std::optional<Packages> packages_;
};

TEST_F(PackageDesk, TellsEachWhatItBecame) {
  start();
  auto one = load("one");
  auto none = load("");
  auto two = load("two");
  EXPECT_EQ(one.get().value().input_file, "one");
  EXPECT_EQ(none.get().error().context, "empty");
  EXPECT_EQ(two.get().value().input_file, "two");
  EXPECT_EQ(load("throw").get().error().fault, Fault::System);
  EXPECT_EQ(load("three").get().value().input_file, "three");
}

TEST_F(PackageDesk, RefusesMoreThanMayWaitAndTellsThoseWhoDoWhenItStops) {
  start();
  auto held = load("hold");
  holding_.get_future().wait();
  std::vector<std::future<Result<judge::Problem>>> waiting;
  for (std::size_t i = 0; i < Packages::kMostWaiting; ++i)
    waiting.push_back(load("next"));
  EXPECT_EQ(load("one too many").get().error().fault, Fault::Busy);
  packages_->stop();
  EXPECT_EQ(held.get().error().fault, Fault::Busy);
  for (auto& each : waiting)
    EXPECT_EQ(each.get().error().context, kShuttingDown);
  EXPECT_EQ(load("late").get().error().context, kShuttingDown);
}

TEST_F(PackageDesk, StopsWithoutHavingBegun) {
  start();
  packages_->stop();
  packages_->stop();
}

}  // namespace
}  // namespace assay::service
