#include "transport/grpc_module/entrance.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <future>

#include "tests/grpc/fixture_bounds.h"
#include "tests/support/sanitizer.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;

class Connected : public BoundsTest {};

// There was no bound: 5000 connections that said hello took 5000 descriptors.
TEST_F(Connected, AreAsManyAsMayBeAndAnotherWhenOneHasGone) {
  serve({}, {.connections = 3});
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<RawClient>(server_->port()));
    EXPECT_TRUE(clients.back()->is_let_in());
  }
  EXPECT_FALSE(RawClient(server_->port()).is_let_in());
  EXPECT_FALSE(RawClient(server_->port()).is_let_in());
  clients.pop_back();
  while (!RawClient(server_->port()).is_let_in())  // the test's time limit is the judge of this
    std::this_thread::yield();
}

TEST_F(Connected, AreServedAfterManyHaveComeAndGone) {
  serve({}, {.connections = 4});
  for (int i = 0; i < 20; ++i) {
    stub_ = pb::Executor::NewStub(channel());
    await(StatusCode::OK, [&] { return echo(1); });
  }
}

TEST_F(Connected, AreClosedWhenTheyCallNothing) {
  serve({}, {.idle = std::chrono::milliseconds(200)});
  RawClient client(server_->port());
  EXPECT_TRUE(client.is_let_in());
  EXPECT_TRUE(client.is_closed());
}

TEST_F(Connected, AreClosedWhenTheySayNothing) {
  serve({}, {.patience = std::chrono::milliseconds(200)});
  RawClient client(server_->port(), RawClient::Manners::SaysNothing);
  EXPECT_TRUE(client.is_closed());
}

TEST_F(Connected, AreNotLetInOnceTheServerStops) {
  serve({});
  EXPECT_EQ(echo(1), StatusCode::OK);
  const int port = server_->port();
  server_->stop(std::chrono::milliseconds(1));
  EXPECT_THROW(connect_to(port), std::runtime_error);
}

TEST(Listening, IsAtTheAddressesOfAName) {
  const auto listeners = listen_at("localhost:0");
  ASSERT_TRUE(listeners);
  EXPECT_NE(listeners->port, 0);
  EXPECT_FALSE(listen_at("localhost:" + std::to_string(listeners->port)));
}

class NoDescriptors {  // can be had, while this lives
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{.rlim_cur = 1, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

// gRPC's own listener closed for good.
TEST(Listening, GoesOnWhenThereAreDescriptorsAgain) {
  if (kAddressSanitizer)
    GTEST_SKIP()
        << "UBSan looks at memory through a pipe, and takes it for bad without descriptors";
  auto listeners = listen_at("127.0.0.1:0");
  ASSERT_TRUE(listeners);
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(listeners->sockets[0].get(), reinterpret_cast<sockaddr*>(&address), &size);
  auto loop = Loop::start();
  ASSERT_TRUE(loop);
  auto entrance = Entrance::make(*std::move(listeners), 10, **loop);
  ASSERT_TRUE(entrance);
  std::promise<int> came;
  ASSERT_TRUE((*entrance)->open([&](int, os::OwnedFd client) { came.set_value(client.get()); }));
  const os::OwnedFd client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto who = came.get_future();
  {
    const NoDescriptors none;
    ASSERT_EQ(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_TRUE((*loop)->ask([]() -> Status { return {}; }));  // what came before it was looked at
    EXPECT_EQ(who.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  }
  EXPECT_GE(who.get(), 0);
  (*entrance)->close();
}

}  // namespace
}  // namespace assay::transport::module
