// Clients that go without having read what they asked for.
#include <gtest/gtest.h>

#include <thread>

#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

class Abandoned : public Served {
 protected:
  // More than the kernel keeps for a client that does not read: its first bytes can be read, and
  // the rest is on its way for as long as the client likes.
  static std::string large_request(const std::string& id) {
    const std::string echo = R"({"args":["echo",")" + std::string(200 << 10, '<') + "\"]}";
    std::string commands = echo;
    for (int i = 1; i < 20; ++i)
      commands += "," + echo;
    return R"({"requestId":")" + id + R"(","cmd":[)" + commands + "]}";
  }

  // The limit of connections is the registry's own count, and a share of the budget that was not
  // given back is missing to the large answer.
  bool has_room_again() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < deadline) {
      Client other = connect();
      if (other.ask("POST", "/run", large_request("")).status == 200) return true;
      std::this_thread::yield();
    }
    return false;
  }
};

// Each answer that waited behind the first one owned the connection that owned it: the connection,
// its descriptor and its bytes stayed for ever, and so did a server that was to stop.
TEST_F(Abandoned, AWebSocketWithManyUnreadAnswersIsForgottenWhenItsClientGoes) {
  start({.limits = {.connections = 1, .buffered = 48_MiB}}, {.parallelism = 4});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  for (const char* id : {"b", "c"})
    client.send_frame(
        1, R"({"requestId":")" + std::string(id) + R"(","cmd":[{"args":["hold","x"]}]})");
  ASSERT_TRUE(engine_->await_started(2));
  client.send_frame(1, large_request("a"));
  ASSERT_FALSE(client.receive_until("requestId").empty());  // it is being written, and stuck
  engine_->release("x");
  while (service_->snapshot().running > 0)  // the test's time limit is the judge of this
    std::this_thread::yield();
  client.hang_up();  // unread bytes make it a reset
  ASSERT_TRUE(has_room_again()) << "the connection or its bytes are still there";
  server_.reset();  // returns
}

}  // namespace
}  // namespace assay::transport
