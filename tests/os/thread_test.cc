#include "os/thread.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace assay::os {
namespace {

// What std::thread does when the kernel gives none; as root no limit brings that about.
struct Refused {
  template <typename Work>
  explicit Refused(Work&& /*work*/) {
    throw std::system_error(EAGAIN, std::generic_category());
  }
};

TEST(Thread, DoesItsWork) {
  bool done = false;
  auto thread = start_thread([&] { done = true; });
  ASSERT_TRUE(thread);
  thread->join();
  EXPECT_TRUE(done);
}

TEST(Thread, OneThatCannotBeHadIsAnErrorAndNoException) {
  const auto thread = start_thread<Refused>([] {});
  ASSERT_FALSE(thread);
  EXPECT_EQ(thread.error().code, EAGAIN);
}

TEST(Thread, OneThatSpinsWouldGoOnAndOneThatWaitsWouldNot) {
  std::atomic<int> id = 0;
  std::atomic<bool> spins = true;
  std::atomic<bool> over = false;
  std::thread thread([&] {
    id = ::gettid();
    id.notify_all();
    while (spins) {
    }
    over.wait(false);
  });
  id.wait(0);
  EXPECT_TRUE(would_go_on(id));
  spins = false;
  while (would_go_on(id))  // until it has come to its wait; the test's own time limit ends this
    std::this_thread::yield();
  over = true;
  over.notify_all();
  thread.join();
  while (would_go_on(id))  // joined is not gone: it still has to leave the kernel
    std::this_thread::yield();
}

TEST(Thread, AsManyAreStartedAsAreWanted) {
  std::atomic<int> started = 0;
  for (std::thread& thread : start_threads(3, [&] { ++started; }))
    thread.join();
  EXPECT_EQ(started, 3);
}

}  // namespace
}  // namespace assay::os
