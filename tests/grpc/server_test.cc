#include <thread>

#include "tests/grpc/fixture.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;

class Server : public GrpcTest {
 protected:
  std::string refusal(const std::string& address) {
    std::string error;
    const std::unique_ptr<GrpcServer> server(
        assay_grpc_start(*service_, {.address = address}, &error));
    EXPECT_FALSE(server);
    return error;
  }
};

TEST_F(Server, SaysThatItCannotListenOnAPortThatIsTaken) {
  serve();
  EXPECT_EQ(refusal(address()), "is it an address of this machine, and is the port free?");
}

TEST_F(Server, SaysWhatIsWrongWithAnAddress) {
  EXPECT_EQ(refusal("localhost"), "expected host:port");
  for (const auto* wrong : {"localhost:65536", "localhost:", "localhost:http", "localhost:-1"})
    EXPECT_EQ(refusal(wrong), "expected a port from 0 to 65535 after the last ':'") << wrong;
}

TEST_F(Server, ListensOnEveryAddressWhenNoneIsNamed) {
  std::string error;
  server_.reset(assay_grpc_start(*service_, {.address = ":0"}, &error));
  ASSERT_TRUE(server_) << error;
  stub_ = pb::Executor::NewStub(channel());
  pb::Response response;
  EXPECT_TRUE(exec(order({"echo", "x"}), &response).ok());
}

TEST_F(Server, LetsCallsEndWhenItStopsWithPatience) {
  serve();
  std::thread client([&] {
    pb::Response response;
    EXPECT_TRUE(exec(order({"hold", "it"}), &response).ok());
  });
  engine_->await_started(1);
  std::thread stopper([&] { server_->stop(std::chrono::seconds(20)); });
  engine_->release("it");
  client.join();
  stopper.join();
}

TEST_F(Server, CancelsCallsWhenItsPatienceEnds) {
  serve();
  std::thread client([&] {
    pb::Response response;
    EXPECT_FALSE(exec(order({"hold", "for ever"}), &response).ok());
  });
  engine_->await_started(1);
  server_->stop(std::chrono::milliseconds(1));
  client.join();
  await_idle();
}

TEST_F(Server, StartsAndStopsManyTimes) {
  for (int i = 0; i < 10; ++i) {
    serve();
    pb::Response response;
    ASSERT_TRUE(exec(order({"echo", "x"}), &response).ok());
  }
}

}  // namespace
}  // namespace assay::transport::module
