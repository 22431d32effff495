#include "transport/grpc_module/live_ends.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <future>

#include "os/file.h"

namespace assay::transport::module {
namespace {

// A command at a terminal, whose other side is a socket of the test.
class AtTerminal : public testing::Test {
 protected:
  void SetUp() override {
    auto loop = Loop::start();
    ASSERT_TRUE(loop) << describe(loop.error());
    loop_ = *std::move(loop);
    int both[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both), 0);
    ours_ = os::OwnedFd(both[0]);
    program_ = os::OwnedFd(both[1]);
  }
  void TearDown() override {
    on_loop([this] { ends_.reset(); });
  }

  void on_loop(const std::function<void()>& act) {
    std::promise<void> done;
    loop_->post([&] {
      act();
      done.set_value();
    });
    done.get_future().wait();
  }
  void start(std::vector<exec::File> files) {
    exec::Request request;
    request.commands.push_back({.files = std::move(files), .tty = true});
    on_loop([&] {
      ends_ = std::make_unique<LiveEnds>(*loop_, request, [] {});
      std::vector<exec::LiveStream> streams;
      streams.push_back({.fd = 0, .input = true, .terminal = true, .end = std::move(ours_)});
      ends_->attach(std::move(streams));
    });
  }
  std::optional<LiveEnds::Output> next_output() {
    std::optional<LiveEnds::Output> output;
    on_loop([&] { output = ends_->next_output(); });
    return output;
  }
  bool finish() {  // whether nothing is left to be said
    bool drained = false;
    on_loop([&] {
      ends_->finish();
      drained = ends_->drained();
    });
    return drained;
  }

  std::unique_ptr<Loop> loop_;
  std::unique_ptr<LiveEnds> ends_;
  os::OwnedFd ours_, program_;
};

TEST_F(AtTerminal, WhatIsPrintedIsLeftToTheCollectorWhereNobodyWatches) {
  start({exec::StreamIn{}, exec::Collector{"out", 100_B}});
  ASSERT_TRUE(os::write_all(program_.get(), "printed"));
  EXPECT_FALSE(next_output());
  EXPECT_TRUE(finish()) << "there is nothing to wait for";
  EXPECT_FALSE(next_output());
}

TEST_F(AtTerminal, WhatIsTypedArrivesWhereNobodyWatches) {
  start({exec::StreamIn{}, exec::Collector{"out", 100_B}});
  on_loop([&] { EXPECT_TRUE(ends_->input(0, 0, "typed\n")); });
  char buffer[16];
  ASSERT_EQ(::recv(program_.get(), buffer, sizeof buffer, 0), 6);
  EXPECT_EQ(std::string_view(buffer, 6), "typed\n");
}

TEST_F(AtTerminal, WhatIsPrintedIsToldUnderTheFirstStreamOut) {
  start({exec::StreamIn{}, exec::Collector{"out", 100_B}, exec::StreamOut{}});
  ASSERT_TRUE(os::write_all(program_.get(), "printed"));
  const auto output = next_output();
  ASSERT_TRUE(output);
  EXPECT_EQ(output->fd, 2);
  EXPECT_EQ(output->bytes, "printed");
}

}  // namespace
}  // namespace assay::transport::module
