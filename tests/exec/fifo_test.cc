// FIFOs without names, with this test as the programs.
#include "exec/fifo.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <future>

#include "exec/relay.h"

namespace assay::exec {
namespace {

using namespace std::chrono_literals;

std::string hear_all(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(fd, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

os::OwnedFd open_as_program(const os::OwnedFd& descriptor, int flags) {
  return os::open(fifo_path(static_cast<unsigned>(descriptor.get())), flags).value();
}

TEST(Fifo, IsAFifoThatHasNoNameAnywhere) {
  const Fifo fifo = Fifo::make().value();
  const os::OwnedFd shared = fifo.share().value();
  struct stat status{};
  ASSERT_EQ(::fstat(shared.get(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  EXPECT_EQ(status.st_nlink, 0U);
  EXPECT_EQ(status.st_mode & 0777U, 0666U);
}

TEST(Fifo, ADescriptorOfItIsNoEndOfIt) {
  const Fifo fifo = Fifo::make().value();
  const os::OwnedFd shared = fifo.share().value();
  char byte = 0;
  EXPECT_EQ(::read(shared.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EBADF);
  const os::OwnedFd reader = fifo.open(O_RDONLY | O_NONBLOCK).value();
  fifo.open(O_WRONLY).value();  // comes and goes
  EXPECT_EQ(::read(reader.get(), &byte, 1), 0);
}

TEST(FifoSource, IsNotAtItsEndBeforeSomebodyCame) {
  FifoSource source = FifoSource::open(Fifo::make().value()).value();
  const os::OwnedFd shared = source.fifo().share().value();
  auto heard = std::async(std::launch::async, [&] {
    const os::OwnedFd end = source.await_writer();
    return hear_all(end.get());
  });
  EXPECT_EQ(heard.wait_for(50ms), std::future_status::timeout);
  {
    const os::OwnedFd writer = open_as_program(shared, O_WRONLY | O_CREAT | O_TRUNC);  // as fopen
    ASSERT_EQ(::write(writer.get(), "hello", 5), 5);
  }
  EXPECT_EQ(heard.get(), "hello");
}

TEST(FifoSource, EndsWhenNobodyWillCome) {
  FifoSource source = FifoSource::open(Fifo::make().value()).value();
  auto heard = std::async(std::launch::async, [&] {
    const os::OwnedFd end = source.await_writer();
    return hear_all(end.get());
  });
  source.writer_has_gone();
  EXPECT_EQ(heard.get(), "");
}

TEST(FifoSink, KeepsWhatIsSaidUntilThereIsAReader) {
  FifoSink sink(Fifo::make().value());
  const os::OwnedFd shared = sink.fifo().share().value();
  auto said = std::async(std::launch::async, [&] {
    const os::OwnedFd end = sink.await_reader().value();
    return ::write(end.get(), "hello", 5);
  });
  EXPECT_EQ(said.wait_for(50ms), std::future_status::timeout);
  const os::OwnedFd reader = open_as_program(shared, O_RDONLY);
  EXPECT_EQ(said.get(), 5);
  EXPECT_EQ(hear_all(reader.get()), "hello");
}

TEST(FifoSink, IsBrokenWhenItsReaderHasGoneWhetherItWaitsOrWillWait) {
  for (const bool waits : {true, false}) {
    FifoSink sink(Fifo::make().value());
    if (!waits) sink.reader_has_gone();
    auto end = std::async(std::launch::async, [&] { return sink.await_reader().value(); });
    if (waits) sink.reader_has_gone();
    const os::OwnedFd open = end.get();
    const int flags = ::fcntl(open.get(), F_GETFL);
    EXPECT_EQ(flags & O_ACCMODE, O_WRONLY);
    sink.reader_has_gone();  // says nothing new
    auto broken = std::async(std::launch::async, [&] {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      return ::write(open.get(), "x", 1) < 0 ? errno : 0;
    });
    EXPECT_EQ(broken.get(), EPIPE);
  }
}

// Both ends are opened by the programs, in whatever order.
TEST(Relay, JoinsTwoFifosThatProgramsOpenThemselves) {
  for (const bool reader_first : {true, false}) {
    FifoSource source = FifoSource::open(Fifo::make().value()).value();
    FifoSink sink(Fifo::make().value());
    const os::OwnedFd says = source.fifo().share().value();
    const os::OwnedFd hears = sink.fifo().share().value();
    Relay relay({.before_begin = [&](Relay::Plan& plan) {
      plan.sink = sink.await_reader().value();
      plan.source = source.await_writer();
    }});
    os::OwnedFd reader;
    if (reader_first) reader = open_as_program(hears, O_RDONLY);
    {
      const os::OwnedFd writer = open_as_program(says, O_WRONLY);
      ASSERT_EQ(::write(writer.get(), "hello", 5), 5);
    }
    if (!reader_first) reader = open_as_program(hears, O_RDONLY);
    EXPECT_EQ(hear_all(reader.get()), "hello");
    relay.finish();
    EXPECT_EQ(relay.counts().bytes, 5U);
  }
}

}  // namespace
}  // namespace assay::exec
