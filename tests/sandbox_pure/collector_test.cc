#include "sandbox/collector.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace assay::sandbox {
namespace {

void write_text(int fd, const std::string& text) {
  ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(Collector, KeepsWhatWasWrittenAndCountsIt) {
  std::string kept;
  Collector collector = *Collector::open({.text = &kept}, std::nullopt);
  write_text(collector.program_end(), "hello");
  collector.program_started();
  ASSERT_TRUE(collector.finish());
  EXPECT_EQ(kept, "hello");
  EXPECT_EQ(collector.facts(), (StreamFacts{5, false}));
}

TEST(Collector, ExactlyTheLimitIsNotOverIt) {
  std::string kept;
  Collector collector = *Collector::open({.text = &kept}, 5_B);
  write_text(collector.program_end(), "hello");
  collector.program_started();
  ASSERT_TRUE(collector.finish());
  EXPECT_EQ(collector.facts(), (StreamFacts{5, false}));
}

TEST(Collector, OneByteMoreIsCutAndSaidSo) {
  std::string kept;
  Collector collector = *Collector::open({.text = &kept}, 5_B);
  write_text(collector.program_end(), "hello!");
  collector.program_started();
  ASSERT_TRUE(collector.finish());
  EXPECT_EQ(kept, "hello");
  EXPECT_EQ(collector.facts(), (StreamFacts{5, true}));
}

TEST(Collector, ASinkThatNobodyReadsBlocksNobody) {
  const os::Pipe sink = *os::make_pipe();
  write_text(sink.write_end.get(), std::string(15 * 4096, 'y'));  // one page is left in it
  Collector collector = *Collector::open({.sink = sink.write_end.get()}, std::nullopt);
  write_text(collector.program_end(), std::string(50'000, 'x'));
  collector.drain();
  collector.flush();
  EXPECT_TRUE(collector.wants_writing());
  EXPECT_FALSE(collector.wants_reading());  // the program waits, not we
  std::string got(1 << 20, '\0');
  EXPECT_EQ(::read(sink.read_end.get(), got.data(), got.size()), 16 * 4096);
  collector.flush();
  EXPECT_FALSE(collector.wants_writing());
  EXPECT_EQ(::read(sink.read_end.get(), got.data(), got.size()), 50'000 - 4096);
}

TEST(Collector, ASinkWhoseReaderHasGoneChangesNoFact) {
  os::Pipe sink = *os::make_pipe();
  sink.read_end.reset();
  Collector collector = *Collector::open({.sink = sink.write_end.get()}, std::nullopt);
  write_text(collector.program_end(), "hello");
  collector.drain();
  ::signal(SIGPIPE, SIG_IGN);
  collector.flush();
  collector.program_started();
  EXPECT_TRUE(collector.finish());
  EXPECT_EQ(collector.facts().bytes, 5U);
}

// The program used to be judged by what found room.
TEST(Collector, WhatFindsNoRoomInAFileIsOurFailure) {
  const os::OwnedFd full = *os::open("/dev/full", O_WRONLY);
  Collector collector = *Collector::open({.sink = full.get()}, std::nullopt);
  write_text(collector.program_end(), "hello");
  collector.program_started();
  const Status finished = collector.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ENOSPC);
  EXPECT_EQ(finished.error().fault, Fault::System);
}

TEST(Collector, DoesNotWaitForAWriterThatIsStillOpenAfterTheEnd) {
  std::string kept;
  Collector collector = *Collector::open({.text = &kept}, std::nullopt);
  write_text(collector.program_end(), "hello");
  ASSERT_TRUE(collector.finish());  // our own copy of the program's end was never closed
  EXPECT_EQ(kept, "hello");
}

// The buffers of some languages are not whole pages, and each write has pages of its own: 32 KiB
// fill a pipe of 64, and whoever filled it would wait for a watcher that rests.
TEST(Collector, GivesRoomToWhoeverFillsThePipeWithLittle) {
  Collector collector = Collector::open({}, std::nullopt).value();
  const std::string portion(2049, 'x');
  ASSERT_EQ(::fcntl(collector.program_end(), F_SETFL, O_WRONLY | O_NONBLOCK), 0);
  while (::write(collector.program_end(), portion.data(), portion.size()) > 0) {
  }
  const int before = ::fcntl(collector.source(), F_GETPIPE_SZ);
  collector.drain();
  EXPECT_LE(collector.heard(), static_cast<unsigned>(before) / 2 + portion.size());
  EXPECT_GT(::fcntl(collector.source(), F_GETPIPE_SZ), before);
}

TEST(Collector, GivesNoneToWhoeverSaysLittle) {
  Collector collector = Collector::open({}, std::nullopt).value();
  const int before = ::fcntl(collector.source(), F_GETPIPE_SZ);
  write_text(collector.program_end(), "a line\n");
  collector.drain();
  EXPECT_EQ(::fcntl(collector.source(), F_GETPIPE_SZ), before);
}

// A flood of which nothing is kept any more is no silence.
TEST(Collector, HearsWhatItDoesNotKeep) {
  Collector collector = Collector::open({.discard_rest = true}, 10_B).value();
  write_text(collector.program_end(), std::string(100, 'x'));
  collector.drain();
  EXPECT_EQ(collector.facts().bytes, 10U);
  EXPECT_EQ(collector.heard(), 100U);
}

}  // namespace
}  // namespace assay::sandbox
