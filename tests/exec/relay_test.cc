// What stands between two programs, alone: pipes on both sides of it, and this test as the
// programs.
#include "exec/relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

namespace assay::exec {
namespace {

using namespace std::chrono_literals;

struct Ends {
  os::OwnedFd write, read;  // the programs'
  Relay::Plan plan{};
};

Ends ends() {
  os::Pipe from = os::make_pipe().value();
  os::Pipe to = os::make_pipe().value();
  return {.write = std::move(from.write_end),
          .read = std::move(to.read_end),
          .plan = {.source = std::move(from.read_end), .sink = std::move(to.write_end)}};
}

void say(const os::OwnedFd& fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(fd.get(), text.data(), text.size());
    ASSERT_GT(wrote, 0);
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string hear_all(const os::OwnedFd& fd) {
  std::string all;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<std::size_t>(got));
  return all;
}

bool has_ended(const os::OwnedFd& fd) {
  pollfd end{fd.get(), POLLIN, 0};
  return ::poll(&end, 1, 0) > 0;
}

TEST(Relay, ASourceThatHasNothingYetHasNotEnded) {
  Ends both = ends();
  ASSERT_EQ(::fcntl(both.plan.source.get(), F_SETFL, O_NONBLOCK), 0);
  std::promise<void> begun;
  both.plan.before_begin = [&](Relay::Plan&) {
    begun.set_value();
  };
  Relay relay(std::move(both.plan));
  begun.get_future().wait();
  char letter = 0;
  for (const char* text : {"a", "b"}) {  // the second is asked for before it is there
    say(both.write, text);
    ASSERT_EQ(::read(both.read.get(), &letter, 1), 1);
    EXPECT_EQ(letter, *text);
  }
  both.write.reset();
  EXPECT_EQ(hear_all(both.read), "");
}

TEST(Relay, PassesOnEveryByteAndTheEndAndNothingElse) {
  Ends both = ends();
  std::string text(300'000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<char>(i * 7 + i / 251);
  Relay relay(std::move(both.plan));
  auto heard = std::async(std::launch::async, [&] { return hear_all(both.read); });
  say(both.write, text);
  both.write.reset();
  EXPECT_EQ(heard.get(), text);
  relay.finish();
  EXPECT_EQ(relay.counts().bytes, text.size());
}

TEST(Relay, PassesOnAFloodWithoutACopyAndCountsItAllTheSame) {
  Transcript transcript(1_KiB);
  Ends both = ends();
  both.plan.transcript = &transcript;
  both.plan.backlog = 1_MiB;
  both.plan.limit = 60_MiB;
  std::string text(50 << 20, '\0');
  for (std::size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<char>(i * 7 + i / 65537);
  Relay relay(std::move(both.plan));
  auto heard = std::async(std::launch::async, [&] { return hear_all(both.read); });
  say(both.write, text);
  say(both.write, text);
  both.write.reset();
  const std::string all = heard.get();
  EXPECT_EQ(all.size(), 60U << 20);
  EXPECT_EQ(all, (text + text).substr(0, all.size()));
  relay.finish();
  EXPECT_EQ(relay.counts().bytes, 2 * text.size());
  EXPECT_TRUE(relay.counts().over_limit);
  EXPECT_EQ(transcript.take().bytes, 60U << 20);
}

TEST(Relay, CountsWhatIsPastTheLimitAndPassesOnNothingOfIt) {
  Ends both = ends();
  std::atomic<int> told = 0;
  both.plan.limit = 10_B;
  both.plan.over_limit = [&] {
    ++told;
  };
  Relay relay(std::move(both.plan));
  say(both.write, "0123456789");
  char ten[10];
  ASSERT_EQ(::read(both.read.get(), ten, sizeof ten), 10);
  EXPECT_EQ(told, 0);
  say(both.write, "x");
  say(both.write, "y");
  both.write.reset();
  EXPECT_EQ(hear_all(both.read), "");
  relay.finish();
  EXPECT_EQ(relay.counts().bytes, 12U);
  EXPECT_TRUE(relay.counts().over_limit);
  EXPECT_EQ(told, 1);
}

TEST(Relay, ReadsAheadSoThatAWriterNeedNotWaitForItsReader) {
  Ends both = ends();
  both.plan.backlog = 16_MiB;
  Relay relay(std::move(both.plan));
  const std::string text(10 << 20, 'x');
  say(both.write, text);  // would wait for ever in a direct pipe
  both.write.reset();
  EXPECT_EQ(hear_all(both.read), text);
}

TEST(Relay, WithoutABacklogMakesTheWriterWait) {
  Ends both = ends();
  ASSERT_EQ(::fcntl(both.write.get(), F_SETFL, O_NONBLOCK), 0);
  Relay relay(std::move(both.plan));
  const std::string text(1 << 20, 'x');
  std::size_t sent = 0;
  for (pollfd out{both.write.get(), POLLOUT, 0}; ::poll(&out, 1, 200) > 0;)
    if (const ssize_t wrote = ::write(both.write.get(), text.data(), text.size()); wrote > 0)
      sent += static_cast<std::size_t>(wrote);
  EXPECT_LT(sent, 512U << 10);
  both.write.reset();
  EXPECT_EQ(hear_all(both.read).size(), sent);
}

// A program may open the other end of its own pipe. What it takes back was promised to a relay that
// must not wait for it with bytes in its hands. It is woken for the byte and comes too late for it,
// nearly always.
TEST(Relay, AByteThatIsTakenBackKeepsNoOthers) {
  for (int round = 0; round < 100; ++round) {
    Ends both = ends();
    ASSERT_EQ(::fcntl(both.read.get(), F_SETPIPE_SZ, 4096), 4096);
    both.plan.backlog = Bytes{1 << 20};
    const std::string again = "/proc/self/fd/" + std::to_string(both.write.get());
    const os::OwnedFd thief(::open(again.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    ASSERT_TRUE(thief.is_open());
    Relay relay(std::move(both.plan));
    say(both.write, std::string(8192, 'x'));
    while (unread_in(both.read.get()) < 4096 || unread_in(both.write.get()) > 0)
      std::this_thread::yield();  // until the rest is in its hands
    say(both.write, "y");
    char byte = 0;
    std::size_t left = 8193;
    if (::read(thief.get(), &byte, 1) == 1) --left;
    for (pollfd more{both.read.get(), POLLIN, 0}; left > 0;) {
      ASSERT_EQ(::poll(&more, 1, 20'000), 1) << left << " bytes are missing in round " << round;
      char buffer[8192];
      const ssize_t got = ::read(both.read.get(), buffer, sizeof buffer);
      ASSERT_GT(got, 0);
      left -= static_cast<std::size_t>(got);
    }
    both.write.reset();
    relay.finish();
  }
}

TEST(Relay, DrainsAWriterWhoseReaderHasGone) {
  Ends both = ends();
  both.read.reset();
  Relay relay(std::move(both.plan));
  const std::string text(10 << 20, 'x');
  say(both.write, text);
  both.write.reset();
  relay.finish();
  EXPECT_EQ(relay.counts().bytes, text.size());
}

TEST(Relay, BreaksThePipeOfAWriterWhoseReaderHasGoneWhereThatIsPlanned) {
  ::signal(SIGPIPE, SIG_IGN);
  Ends both = ends();
  std::atomic<bool> asked = false;
  both.plan.reader_gone = Relay::ReaderGone::Break;
  both.plan.before_break = [&] {
    asked = true;
  };
  both.read.reset();
  Relay relay(std::move(both.plan));
  say(both.write, "x");
  relay.finish();  // it ends though the writer is there
  EXPECT_TRUE(asked);
  EXPECT_EQ(::write(both.write.get(), "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
}

TEST(Relay, HoldsTheEndBackUntilItIsAllowed) {
  Ends both = ends();
  std::promise<void> reached;
  std::promise<void> allowed;
  both.plan.before_end = [&](int sink) {
    EXPECT_EQ(unread_in(sink), 3U);
    reached.set_value();
    allowed.get_future().wait();
  };
  Relay relay(std::move(both.plan));
  say(both.write, "end");
  both.write.reset();
  reached.get_future().wait();
  char three[4];
  EXPECT_EQ(::read(both.read.get(), three, sizeof three), 3);
  EXPECT_FALSE(has_ended(both.read));
  allowed.set_value();
  EXPECT_EQ(hear_all(both.read), "");
  relay.finish();
  EXPECT_EQ(relay.counts().unread, 3U);
}

TEST(Relay, NotesAQuestionBeforeItsAnswer) {
  Transcript transcript(1_MiB);
  Ends there = ends();
  Ends back = ends();
  for (Ends* each : {&there, &back})
    each->plan.transcript = &transcript;
  there.plan.voice = 1;
  back.plan.voice = 2;
  {
    Relay one(std::move(there.plan));
    Relay two(std::move(back.plan));
    char byte = 0;
    for (int i = 0; i < 1000; ++i) {
      say(there.write, "?");
      ASSERT_EQ(::read(there.read.get(), &byte, 1), 1);
      say(back.write, "!");
      ASSERT_EQ(::read(back.read.get(), &byte, 1), 1);
    }
    there.write.reset();
    back.write.reset();
  }
  const Dialogue dialogue = transcript.take();
  ASSERT_EQ(dialogue.remarks.size(), 2000U);
  for (std::size_t i = 0; i < dialogue.remarks.size(); ++i)
    EXPECT_EQ(dialogue.remarks[i].voice, 1 + i % 2);
  for (std::size_t i = 1; i < dialogue.remarks.size(); ++i)
    EXPECT_GE(dialogue.remarks[i].at, dialogue.remarks[i - 1].at);
}

TEST(Transcript, KeepsTheFirstAndSaysThatThereWasMore) {
  Transcript transcript(Bytes{2 * sizeof(Remark) + 8});
  transcript.add(1, "12345");
  transcript.add(2, "67890");
  transcript.add(1, "lost");
  const Dialogue dialogue = transcript.take();
  ASSERT_EQ(dialogue.remarks.size(), 2U);
  EXPECT_EQ(dialogue.remarks[1].bytes, "678");
  EXPECT_TRUE(dialogue.truncated);
  EXPECT_EQ(dialogue.bytes, 14U);
}

TEST(Transcript, OfAMillionBytesOneByOneStaysSmall) {
  Transcript transcript(64_KiB);
  for (int i = 0; i < 1'000'000; ++i)
    transcript.add(0, "x");
  const Dialogue dialogue = transcript.take();
  EXPECT_LE(dialogue.remarks.size() * sizeof(Remark), 64U << 10);
  EXPECT_TRUE(dialogue.truncated);
}

}  // namespace
}  // namespace assay::exec
