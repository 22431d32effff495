// How many boxes an engine keeps, by the descriptors that they cost.
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tests/support/box_test.h"

namespace assay::test {
namespace {

std::ptrdiff_t descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

class PoolOfBoxes : public BoxTest {
 protected:
  void run_at_once(std::size_t count) {
    const std::vector<sandbox::Spec> specs(count, sandbox::Spec{.argv = {"/bin/true"}});
    const auto facts = engine().run_together(specs);
    ASSERT_TRUE(facts) << describe(facts.error());
    ASSERT_TRUE(engine().await_clean());
  }
};

// No new descriptor until it goes.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit none{.rlim_cur = static_cast<rlim_t>(next), .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreDescriptors(const NoMoreDescriptors&) = delete;
  NoMoreDescriptors& operator=(const NoMoreDescriptors&) = delete;

 private:
  rlimit before_{};
};

// A request of forty commands once left its boxes for ever.
TEST_F(PoolOfBoxes, ThoseThatABurstLeftAreRetiredAndThoseInUseStay) {
  run_at_once(3);
  const std::ptrdiff_t with_three = descriptors();
  run_at_once(12);
  EXPECT_GT(descriptors(), with_three);
  const auto patience = std::chrono::steady_clock::now() + scaled(60s);
  while (descriptors() > with_three && std::chrono::steady_clock::now() < patience)
    ASSERT_NO_FATAL_FAILURE(run_at_once(3));
  EXPECT_EQ(descriptors(), with_three);
  const std::uint64_t made = engine().boxes().made;  // also those in place of boxes that were worn
  run_at_once(3);
  EXPECT_EQ(engine().boxes().made, made) << "one was retired that was in use all the time";
}

TEST_F(PoolOfBoxes, ThoseOfAnEngineThatDoesNothingAreRetiredWhenItIsTold) {
  run_at_once(1);
  const std::ptrdiff_t with_one = descriptors();
  run_at_once(6);
  const auto patience = std::chrono::steady_clock::now() + scaled(60s);
  while (descriptors() > with_one && std::chrono::steady_clock::now() < patience) {
    engine().retire_unneeded();
    std::this_thread::yield();
  }
  EXPECT_LE(descriptors(), with_one);
  run_at_once(2);
}

TEST_F(PoolOfBoxes, ThoseThatWaitGiveWayToOneOfAnotherKindWhenDescriptorsRunOut) {
  run_at_once(10);
  ASSERT_TRUE(engine().know("native"));
  Prepared other({.guest = "exit_code", .arguments = {"7"}, .profile = "native"});
  const auto facts = [&] {
    const NoMoreDescriptors none;
    return engine().run(other.spec);
  }();
  ASSERT_TRUE(facts) << describe(facts.error());
  other.finish(*facts);
  EXPECT_TRUE(ended_as(other.outcome, sandbox::Exited{7})) << other.outcome;
}

}  // namespace
}  // namespace assay::test
