#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

constexpr int kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

std::string numbered(const std::string& id, const std::string& args) {
  return R"({"requestId":")" + id + R"(","cmd":[{"args":[)" + args + "]}]}";
}

class Socket : public Served {};

TEST_F(Socket, AnswersARequestWithItsId) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, numbered("r1", R"("echo","hi")"));
  const std::string answer = client.receive_message();
  EXPECT_TRUE(answer.starts_with(R"({"requestId":"r1","results":[{"status":"Accepted")")) << answer;
  EXPECT_NE(answer.find(R"("stdout":"hi")"), std::string::npos);
}

TEST_F(Socket, TakesFragmentsAndBinaryFramesAndAnswersPings) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  const std::string message = numbered("r1", R"("echo","hi")");
  client.send_frame(kBinary, message.substr(0, 10), false);
  client.send_frame(kPing, "are you there");
  client.send_frame(0, message.substr(10));
  const Frame pong = client.receive_frame();
  EXPECT_EQ(pong.opcode, kPong);
  EXPECT_EQ(pong.bytes, "are you there");
  EXPECT_NE(client.receive_message().find("\"r1\""), std::string::npos);
}

TEST_F(Socket, RunsManyRequestsAtATimeAndAnswersThemAsTheyEnd) {
  start({}, {.parallelism = 2});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, numbered("slow", R"("hold","slow")"));
  ASSERT_TRUE(engine_->await_started(1));
  client.send_frame(kText, numbered("quick", R"("echo","x")"));
  EXPECT_NE(client.receive_message().find("\"quick\""), std::string::npos);
  engine_->release("slow");
  EXPECT_NE(client.receive_message().find("\"slow\""), std::string::npos);
}

TEST_F(Socket, RefusesAnEmptyIdAndAnIdInUse) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, run_of(R"("echo","x")"));
  EXPECT_EQ(client.receive_message(),
            "{\"requestId\":\"\",\"results\":null,\"error\":\"empty request id\"}\n");
  client.send_frame(kText, numbered("r2", R"("hold","x")"));
  ASSERT_TRUE(engine_->await_started(1));
  client.send_frame(kText, numbered("r2", R"("echo","x")"));
  EXPECT_EQ(
      client.receive_message(),
      "{\"requestId\":\"r2\",\"results\":null,\"error\":\"duplicated request id: \\\"r2\\\"\"}\n");
  engine_->release("x");
  EXPECT_NE(client.receive_message().find("Accepted"), std::string::npos);
  client.send_frame(kText, numbered("r2", R"("echo","again")"));  // free again
  EXPECT_NE(client.receive_message().find("again"), std::string::npos);
}

TEST_F(Socket, AnswersNoCommandsWithNoResults) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, R"({"requestId":"e","cmd":[]})");
  EXPECT_EQ(client.receive_message(), "{\"requestId\":\"e\",\"results\":[]}\n");
}

TEST_F(Socket, TellsWhyARequestFailed) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, numbered("f", R"("missing")"));
  EXPECT_EQ(client.receive_message(),
            "{\"requestId\":\"f\",\"results\":[],\"error\":\"file does not exists with id: "
            "\\\"XXXX\\\"\"}\n");
}

TEST_F(Socket, KillsARunningRequestThatIsCancelled) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, numbered("r", R"("hold","for ever")"));
  ASSERT_TRUE(engine_->await_started(1));
  client.send_frame(kText, R"({"cancelRequestId":"unknown"})");
  client.send_frame(kText, R"({"cancelRequestId":"r"})");
  EXPECT_NE(client.receive_message().find(R"("status":"Signalled","exitStatus":9)"),
            std::string::npos);
}

TEST_F(Socket, DropsAQueuedRequestThatIsCancelled) {
  start({}, {.parallelism = 1});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, numbered("first", R"("hold","door")"));
  ASSERT_TRUE(engine_->await_started(1));
  client.send_frame(kText, numbered("second", R"("echo","never")"));
  client.send_frame(kText, R"({"cancelRequestId":"second"})");
  EXPECT_EQ(
      client.receive_message(),
      "{\"requestId\":\"second\",\"results\":[],\"error\":\"request cancelled before execute\"}\n");
  engine_->release("door");
  EXPECT_NE(client.receive_message().find("\"first\""), std::string::npos);
}

TEST_F(Socket, CancelsEverythingWhenTheClientGoes) {
  start({}, {.parallelism = 1});
  {
    Client client = connect();
    ASSERT_TRUE(client.become_websocket("/ws"));
    client.send_frame(kText, numbered("a", R"("hold","for ever")"));
    client.send_frame(kText, numbered("b", R"("hold","for ever")"));
    ASSERT_TRUE(engine_->await_started(1));
  }
  EXPECT_EQ(connect().ask("POST", "/run", run_of(R"("echo","x")")).status, 200);
}

TEST_F(Socket, ClosesWithAReasonAfterAMalformedMessage) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, "{nonsense");
  const Frame frame = client.receive_frame();
  EXPECT_EQ(frame.opcode, kClose);
  EXPECT_EQ(frame.bytes.substr(0, 2), "\x03\xef");  // 1007
  EXPECT_GT(frame.bytes.size(), 2U);
  client.send_frame(kClose, frame.bytes);
  EXPECT_EQ(client.receive_frame().opcode, -1);
}

TEST_F(Socket, AnswersTheClientsGoodbye) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kClose, "\x03\xe8");
  EXPECT_EQ(client.receive_frame().opcode, kClose);
  EXPECT_EQ(client.receive_frame().opcode, -1);
}

TEST_F(Socket, RefusesMessagesThatAreTooLarge) {
  start({.limits = {.socket_message = 10_KiB}});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, std::string(20'000, ' '));
  const Frame frame = client.receive_frame();
  EXPECT_EQ(frame.opcode, kClose);
  EXPECT_EQ(frame.bytes.substr(0, 2), "\x03\xf1");  // 1009
}

TEST_F(Socket, TakesMessagesLargerThanItsReads) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(kText, std::string(1'000'000, ' ') + numbered("large", R"("echo","x")"));
  EXPECT_NE(client.receive_message().find("\"large\""), std::string::npos);
}

TEST_F(Socket, PingsAndEndsThoseWhoDoNotAnswer) {
  start({.limits = {.ping = 50ms, .pong = 300ms}});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  EXPECT_EQ(client.receive_frame().opcode, kPing);
  Frame frame;
  while ((frame = client.receive_frame()).opcode == kPing) {
  }
  EXPECT_EQ(frame.opcode, -1);
}

TEST_F(Socket, KeepsThoseWhoAnswerPings) {
  start({.limits = {.ping = 50ms, .pong = 300ms}});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  for (int i = 0; i < 10; ++i) {
    const Frame frame = client.receive_frame();
    ASSERT_EQ(frame.opcode, kPing);
    client.send_frame(kPong, frame.bytes);
  }
  client.send_frame(kText, numbered("alive", R"("echo","x")"));
  EXPECT_NE(client.receive_message().find("alive"), std::string::npos);
}

TEST_F(Socket, RefusesWhatIsNoHandshake) {
  start();
  Client client = connect();
  for (const char* path : {"/ws", "/stream"}) {
    EXPECT_EQ(client.ask("GET", path).status, 400);
    EXPECT_EQ(client.ask("GET", path, "", "Connection: Upgrade\r\nUpgrade: h2c\r\n").status, 400);
    EXPECT_EQ(client
                  .ask("GET", path, "",
                       "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n"
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
                  .status,
              400);
  }
}

TEST_F(Socket, NeedsTheToken) {
  start({.auth_token = "t"});
  EXPECT_FALSE(connect().become_websocket("/ws"));
  EXPECT_FALSE(connect().become_websocket("/stream"));
  EXPECT_TRUE(connect().become_websocket("/ws", "Authorization: Bearer t\r\n"));
}

class Stream : public Served {
 protected:
  static constexpr const char* kCat =
      R"({"requestId":"s","cmd":[{"args":["cat"],"files":[{"streamIn":true},{"streamOut":true}]}]})";
  static std::string frame(char type, std::string_view rest = "") {
    return std::string(1, type).append(rest);
  }
  static std::string frame(char type, char id, std::string_view rest) {
    return std::string{type, id}.append(rest);
  }
};

TEST_F(Stream, CarriesInputAndOutputAndEndsWithTheAnswer) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, kCat));
  client.send_frame(kBinary, frame(3, 0, "hello"));
  EXPECT_EQ(client.receive_message(), frame(2, 1, "hello"));
  client.send_frame(kBinary, frame(3, 0, ""));  // nothing: means nothing
  client.send_frame(kBinary, frame(3, 0, "again"));
  EXPECT_EQ(client.receive_message(), frame(2, 1, "again"));
  client.send_frame(kBinary, frame(5, 0, ""));  // end of input
  const std::string answer = client.receive_message();
  EXPECT_TRUE(answer.starts_with("\x01{\"requestId\":\"s\",\"results\":[{\"status\":\"Accepted\""))
      << answer;
  const Frame goodbye = client.receive_frame();
  EXPECT_EQ(goodbye.opcode, kClose);
  EXPECT_EQ(goodbye.bytes.substr(0, 2), "\x03\xe8");
}

TEST_F(Stream, CarriesMoreThanAnyBufferHolds) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, kCat));
  std::string sent;
  std::thread writer([&] {
    for (int i = 0; i < 300; ++i)
      client.send_frame(kBinary, frame(3, 0, std::string(10'000, static_cast<char>('a' + i % 26))));
    client.send_frame(kBinary, frame(5, 0, ""));
  });
  for (int i = 0; i < 300; ++i)
    sent += std::string(10'000, static_cast<char>('a' + i % 26));
  std::string got, message;
  while ((message = client.receive_message()).starts_with("\x02\x01"))
    got += message.substr(2);
  writer.join();
  EXPECT_TRUE(got == sent) << got.size();
  EXPECT_EQ(message[0], 1);
}

TEST_F(Stream, TellsTheEndOfOutputToThoseWhoAsk) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream?eof=1"));
  client.send_frame(kBinary, frame(1, kCat));
  client.send_frame(kBinary, frame(5, 0, ""));
  EXPECT_EQ(client.receive_message(), frame(5, 1, ""));
  EXPECT_EQ(client.receive_message()[0], 1);
}

TEST_F(Stream, IsCancelledByFrameFour) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, kCat));
  ASSERT_TRUE(engine_->await_started(1));
  client.send_frame(kBinary, frame(4));
  EXPECT_NE(client.receive_message().find(R"("status":"Signalled","exitStatus":9)"),
            std::string::npos);
}

TEST_F(Stream, DoesNotWaitInTheQueue) {
  start({}, {.parallelism = 1, .queue_limit = 0});
  Client busy = connect();
  busy.send(post_run(R"("hold","door")"));
  ASSERT_TRUE(engine_->await_started(1));
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, run_of(R"("echo","x")")));
  EXPECT_NE(client.receive_message().find("Accepted"), std::string::npos);
  engine_->release("door");
}

TEST_F(Stream, EndsTheRunWhenTheClientGoes) {
  start({}, {.parallelism = 1});
  {
    Client client = connect();
    ASSERT_TRUE(client.become_websocket("/stream"));
    client.send_frame(kBinary, frame(1, kCat));
    ASSERT_TRUE(engine_->await_started(1));
  }
  while (service_->snapshot().running > 0)
    std::this_thread::yield();
}

TEST_F(Stream, EchoesTheIdAndTheErrorOfARequestThatFailed) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, numbered("r", R"("missing")")));
  EXPECT_EQ(client.receive_message(), frame(1,
                                            "{\"requestId\":\"r\",\"results\":[],\"error\":\"file "
                                            "does not exists with id: \\\"XXXX\\\"\"}\n"));
}

TEST_F(Stream, ClosesAfterAnyBreachOfTheProtocol) {
  start();
  for (const std::string& first :
       {std::string(), frame(3, 0, "x"), frame(9), frame(1, "{nonsense"), frame(4)}) {
    Client client = connect();
    ASSERT_TRUE(client.become_websocket("/stream"));
    client.send_frame(kBinary, first);
    EXPECT_EQ(client.receive_frame().opcode, kClose) << first;
  }
  for (const std::string& second :
       {frame(1, kCat), frame(3, 1, "to an output"), frame(3, 0x20, "nowhere"), frame(3), frame(5),
        frame(9), frame(2, "{nonsense"), frame(2, R"({"index":0,"fd":1,"rows":3,"cols":7})"),
        frame(2, R"({"index":0,"fd":0,"rows":3,"cols":7})")}) {  // the last: no terminal
    Client client = connect();
    ASSERT_TRUE(client.become_websocket("/stream"));
    client.send_frame(kBinary, frame(1, kCat));
    client.send_frame(kBinary, second);
    EXPECT_EQ(client.receive_frame().opcode, kClose) << second;
  }
}

TEST_F(Stream, RefusesStreamsThatNoByteCanName) {
  start();
  std::string files;
  for (int i = 0; i < 17; ++i)
    files += std::string(i > 0 ? "," : "") + R"({"streamOut":true})";
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/stream"));
  client.send_frame(kBinary, frame(1, R"({"cmd":[{"args":["cat"],"files":[)" + files + "]}]}"));
  EXPECT_NE(client.receive_message().find("at most 15"), std::string::npos);
}

TEST_F(Stream, DoesNotStopReadingOthersForOneThatDoesNotRead) {
  start();
  Client stuck = connect();
  ASSERT_TRUE(stuck.become_websocket("/stream"));
  stuck.send_frame(kBinary, frame(1, kCat));
  std::thread writer([&] {
    for (int i = 0; i < 400; ++i)
      stuck.send_frame(kBinary, frame(3, 0, std::string(30'000, 'x')));
  });
  EXPECT_EQ(connect().ask("POST", "/run", run_of(R"("echo","x")")).status, 200);
  server_->stop_accepting();
  server_.reset();  // ends the stuck one, and with it the writer
  writer.join();
}

}  // namespace
}  // namespace assay::transport
