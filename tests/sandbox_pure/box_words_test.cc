// What a box says about itself, when the box is the attacker's.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/watch.h"

namespace assay::sandbox {
namespace {

class BoxWords : public testing::Test {
 protected:
  BoxWords() {
    auto control = os::make_packet_pair();
    auto run = os::make_packet_pair();
    os::OwnedFd slate(::memfd_create("slate", MFD_CLOEXEC));
    EXPECT_EQ(::ftruncate(slate.get(), 4096), 0);
    const std::array<std::uint64_t, 3> page{1, UINT64_MAX, UINT64_MAX};  // inside::Slate
    EXPECT_EQ(::pwrite(slate.get(), page.data(), sizeof page, 0),
              static_cast<ssize_t>(sizeof(inside::Slate)));
    control_ = std::move(control->theirs);
    run_ = std::move(run->theirs);
    std::vector<os::OwnedFd> fds;
    fds.push_back(std::move(control->ours));
    fds.push_back(std::move(run->ours));
    fds.push_back(std::move(slate));
    box_.emplace(*BoxHandle::take({.answer = WardenAnswer::BoxMade}, std::move(fds)));
    box_->next_sequence();
  }

  os::OwnedFd control_, run_;
  std::optional<BoxHandle> box_;
};

// Found while its fuzzer was written: the sum of two times from the box was beyond what a number
// can hold.
TEST_F(BoxWords, TimesThatABoxInventsCanBeAddedUp) {
  inside::Ended ended{};
  ended.sequence = ended.started_ns = 1;
  ended.ended_ns = ended.cpu_base_ns = ended.init_cpu_ns = ended.max_rss_kib = UINT64_MAX;
  ended.user_ns = ended.system_ns = INT64_MAX;
  ASSERT_TRUE(os::send_packet(run_.get(), os::bytes_of(ended)));
  const Spec spec{.argv = {"x"}};
  Watched watched(spec, {}, *box_);
  ASSERT_TRUE(watched.hear());
  const auto facts = watched.facts();
  ASSERT_TRUE(facts.has_value());
  EXPECT_GT(facts->cpu_total, Nanoseconds{});
  EXPECT_EQ(facts->cpu_total, facts->cpu_user + facts->cpu_system);
  EXPECT_GT(facts->wall, Nanoseconds{});
  EXPECT_GT(facts->memory_peak.count, 0U);
}

TEST_F(BoxWords, AMomentThatABoxInventsIsBounded) {
  const auto started = box_->started();
  ASSERT_TRUE(started.has_value());
  EXPECT_GT(Nanoseconds(started->at_ns), Nanoseconds{});
  EXPECT_GT(Nanoseconds(started->cpu_base_ns), Nanoseconds{});
}

TEST_F(BoxWords, ABoxThatIsReadyForEverIsNotHeardForEver) {
  const inside::ControlReply ready{.answer = inside::Answer::Ready};
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(os::send_packet(control_.get(), os::bytes_of(ready)));
  EXPECT_FALSE(box_->resize_places(1_MiB, 1).has_value());
  EXPECT_TRUE(box_->is_odd());
}

TEST_F(BoxWords, AReadyBeforeTheAnswerIsNoted) {
  const inside::ControlReply ready{.answer = inside::Answer::Ready};
  const inside::ControlReply done{.answer = inside::Answer::Done};
  ASSERT_TRUE(os::send_packet(control_.get(), os::bytes_of(ready)));
  ASSERT_TRUE(os::send_packet(control_.get(), os::bytes_of(done)));
  EXPECT_TRUE(box_->resize_places(1_MiB, 1).has_value());
  EXPECT_FALSE(box_->is_odd());
}

TEST_F(BoxWords, AMessageOfTheWrongSizeIsTheEndOfTheBox) {
  ASSERT_TRUE(os::send_packet(run_.get(), std::as_bytes(std::span("short"))));
  EXPECT_FALSE(box_->take_ended().has_value());
  EXPECT_TRUE(box_->is_odd());
}

}  // namespace
}  // namespace assay::sandbox
