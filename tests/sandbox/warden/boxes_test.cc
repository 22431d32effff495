#include "sandbox/warden/boxes.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "os/packet.h"

namespace assay::sandbox::warden {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr unsigned kMost = kIdsPerInstance / 2;

// A box that ends when the test says so: in place of the pidfd of its launcher is an event. The
// process is a child that has ended already and waits to be reaped.
struct Slow {
  explicit Slow(unsigned number) : event(::eventfd(0, EFD_CLOEXEC)) {
    box.number = number;
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    pid = child;
    box.launcher = os::Process(child, os::OwnedFd(::dup(event.get())));
    std::string name = fs::temp_directory_path() / "assay-boxes-XXXXXX";
    directory = ::mkdtemp(name.data());
    box.work_directory = directory;
  }
  ~Slow() { ends(); }
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;

  void ends() const { ::eventfd_write(event.get(), 1); }
  // Its process was reaped, and what it had on the host is gone.
  [[nodiscard]] bool is_gone() const { return ::kill(pid, 0) != 0 && !fs::exists(directory); }

  os::OwnedFd event;
  pid_t pid = 0;
  std::string directory{};
  Box box{};
};

class BoxesTest : public ::testing::Test {
 protected:
  void SetUp() override { daemon_ = std::move(os::make_packet_pair().value()); }
  void ask() { ASSERT_TRUE(os::send_packet(daemon_->theirs.get(), os::bytes_of('?'))); }
  [[nodiscard]] int socket() const { return daemon_->ours.get(); }
  std::optional<os::PacketPair> daemon_;
};

TEST_F(BoxesTest, OneThatEndsAtOnceIsGoneAtOnce) {
  Slow slow(3);
  Boxes boxes;
  boxes.add(std::move(slow.box));
  slow.ends();
  EXPECT_TRUE(boxes.retire(3));
  EXPECT_TRUE(boxes.is_empty());
  EXPECT_TRUE(slow.is_gone());
}

TEST_F(BoxesTest, OneThatDiesSlowlyIsRetiredAndKeepsWhatItHas) {
  Slow slow(3);
  Boxes boxes;
  boxes.add(std::move(slow.box));
  EXPECT_TRUE(boxes.retire(3));
  EXPECT_FALSE(boxes.is_empty());
  EXPECT_FALSE(slow.is_gone());
  EXPECT_FALSE(boxes.retire(3)) << "it was retired already";
  slow.ends();
  boxes.bury_until_asked(socket());  // comes back by itself: there is nobody left to wait for
  EXPECT_TRUE(boxes.is_empty());
  EXPECT_TRUE(slow.is_gone());
}

TEST_F(BoxesTest, OneThatWasNeverMadeWholeMayDieSlowlyToo) {
  Slow slow(3);
  Boxes boxes;
  boxes.end(std::move(slow.box));
  EXPECT_FALSE(boxes.is_empty());
  slow.ends();
  boxes.bury_until_asked(socket());
  EXPECT_TRUE(slow.is_gone());
  boxes.end(Box{});  // nor had this one a launcher
  EXPECT_TRUE(boxes.is_empty());
}

TEST_F(BoxesTest, AnOrderIsHeardWhileOneIsDyingAndBuriesThoseThatHaveEnded) {
  Slow slow(3);
  Slow quick(4);
  Boxes boxes;
  boxes.end(std::move(slow.box));
  boxes.end(std::move(quick.box));
  ask();
  quick.ends();
  boxes.bury_until_asked(socket());
  EXPECT_TRUE(quick.is_gone());
  EXPECT_FALSE(slow.is_gone());
}

TEST_F(BoxesTest, ANumberIsNobodysUntilItsBoxHasEnded) {
  Slow slow(3);
  Slow living(5);
  Boxes boxes;
  boxes.add(std::move(living.box));
  boxes.end(std::move(slow.box));
  std::set<unsigned> given;
  for (unsigned round = 0; round < 2 * kMost; ++round)
    given.insert(boxes.free_number().value());
  EXPECT_EQ(given.size(), kMost - 2);
  EXPECT_FALSE(given.contains(3));
  EXPECT_FALSE(given.contains(5));
  slow.ends();
  boxes.bury_until_asked(socket());
  for (unsigned round = 0; round < kMost; ++round)
    given.insert(boxes.free_number().value());
  EXPECT_TRUE(given.contains(3));
  living.ends();
}

TEST_F(BoxesTest, TheDyingCountAmongAsManyAsThereCanBe) {
  Slow slow(0);
  Boxes boxes;
  boxes.end(std::move(slow.box));
  for (unsigned i = 1; i < kMost; ++i) {
    Box box;
    box.number = boxes.free_number().value();
    boxes.add(std::move(box));
  }
  const auto refused = boxes.free_number();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().context.contains("1 of them"));
  slow.ends();
  boxes.bury_until_asked(socket());
  EXPECT_EQ(boxes.free_number().value(), 0U);
}

TEST_F(BoxesTest, TheEndOfAllIsWaitedForButNotForEver) {
  Slow slow(3);
  Slow quick(4);
  Boxes boxes;
  boxes.end(std::move(slow.box));
  boxes.add(std::move(quick.box));
  quick.ends();
  EXPECT_FALSE(boxes.end_all(1ms));
  EXPECT_TRUE(quick.is_gone());
  EXPECT_FALSE(slow.is_gone());
  slow.ends();
  EXPECT_TRUE(boxes.end_all(1h));
  EXPECT_TRUE(slow.is_gone());
}

}  // namespace
}  // namespace assay::sandbox::warden
