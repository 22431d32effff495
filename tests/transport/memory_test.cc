// What clients make the server keep, and where it ends.
#include <thread>

#include "service/stored_contents.h"
#include "tests/service/fake_judge.h"
#include "tests/transport/fixture.h"
#include "transport/context.h"
#include "transport/judging_doors.h"

namespace assay::transport {
namespace {

const std::string kOrder =
    R"({"language":"right","wait":true,"problem":{"tests":[{"input":"a","answer":"b"}]}})";

class HttpMemory : public Served {
 protected:
  ~HttpMemory() override { stop(); }

  void before_server(Options& options) override {
    contents_.emplace(*store_, nullptr);
    auto judge = std::make_unique<service::FakeJudge>();
    judge_ = judge.get();
    judgings_.emplace(std::move(judge), *service_, service::JudgingOptions{.at_once = 1}, nullptr);
    options.judging = std::make_shared<JudgingDoors>(JudgingDoors{
        .judgings = *judgings_,
        .problems = problems_,
        .contents = *contents_,
        .languages_json = [] { return std::string("[]"); },
    });
  }
  void after_server() override { judgings_.reset(); }

  // A judging "s" that is over, with a result of so many bytes.
  void judge_one(std::size_t size) {
    judge_->swell("lint", size);
    const std::string order = R"({"submissionId":"s","source":"x",)" + kOrder.substr(1);
    (void)connect().ask("POST", "/v1/submissions", order);
    const auto judging = judgings_->find("s");
    ASSERT_TRUE(judging);
    while (!(*judging)->is_settled())  // the test's time limit is the judge of this
      std::this_thread::yield();
  }
  std::string all_events() {
    Client client = connect();
    client.send("GET /v1/submissions/s/events HTTP/1.1\r\nHost: test\r\n\r\n");
    return client.receive_all();
  }

  service::FakeJudge* judge_ = nullptr;  // of judgings_
  service::Problems problems_;
  std::optional<service::StoredContents> contents_;
  std::optional<service::Judgings> judgings_;
};

std::string part(const std::string& name, const std::string& content) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"f\"\r\n\r\n" +
         content + "\r\n";
}

TEST_F(HttpMemory, AnArchiveThatNobodyWouldUnpackIsRefusedWithTheForm) {
  start();
  const std::string large((16 << 20) + 1, 'x');
  const Response refused =
      connect().ask("POST", "/v1/submissions",
                    part("request", kOrder) + part("archive", large) + "--XX--\r\n", kFormField);
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(refused.body.contains("archive: an archive has at most 16.0 MiB")) << refused.body;
}

// 3 KB of request, and 80 MiB of memory.
TEST_F(HttpMemory, SourcesThatAreNamedCountAsIfTheyHadBeenSent) {
  start({.limits = {.buffered = 20_MiB}});
  const std::string id = add_file("large", std::string(12 << 20, '#'));
  const auto ask = [&](int count) {
    std::string sources;
    for (int i = 0; i < count; ++i)
      sources += (i == 0 ? "" : ",") + std::string(R"({"name":"f)") + std::to_string(i) +
                 R"(","fileId":")" + id + "\"}";
    return connect().ask("POST", "/v1/submissions",
                         R"({"sources":[)" + sources + "]," + kOrder.substr(1));
  };
  EXPECT_EQ(ask(1).status, 200);
  const Response two = ask(2);
  EXPECT_EQ(two.status, 503);
  EXPECT_TRUE(two.head.contains("Retry-After")) << two.head;
  EXPECT_EQ(ask(1).status, 200);  // what was taken for the refused one was given back
}

std::string ws_request(const std::string& id, const std::string& args) {
  return R"({"requestId":")" + id + R"(","cmd":[{"args":[)" + args + "]}]}";
}

TEST_F(HttpMemory, ARequestIdOnAWebSocketIsShort) {
  start();
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(1, ws_request(std::string(4096, '<'), R"("echo","x")"));
  EXPECT_TRUE(client.receive_message().contains("u003c"));
  client.send_frame(1, ws_request(std::string(4097, '<'), R"("echo","x")"));
  const Frame goodbye = client.receive_frame();
  ASSERT_EQ(goodbye.opcode, 8);
  EXPECT_TRUE(goodbye.bytes.contains("$.requestId: longer than 4096 bytes")) << goodbye.bytes;
  Client stream = connect();
  ASSERT_TRUE(stream.become_websocket("/stream"));
  stream.send_frame(2, "\1" + ws_request(std::string(4097, '<'), R"("echo","x")"));
  EXPECT_TRUE(stream.receive_frame().bytes.contains("$.requestId: longer than 4096 bytes"));
}

// What a program wrote is in the answer: large answers are bytes that a client has us keep.
TEST_F(HttpMemory, ALargeAnswerCountsUntilItIsSent) {
  start({.limits = {.buffered = 1_MiB}});
  const std::string half(200 << 10, 'x');
  EXPECT_EQ(connect().ask("POST", "/run", run_of(R"("echo",")" + half + "\"")).status, 200);
  // Its six bytes for each '<' are more than there is room for.
  const std::string signs(200 << 10, '<');
  const Response large = connect().ask("POST", "/run", run_of(R"("echo",")" + signs + "\""));
  EXPECT_EQ(large.status, 503);
  EXPECT_EQ(large.field("Retry-After"), "1");
  EXPECT_EQ(connect().ask("GET", "/version").status, 200);
  EXPECT_EQ(connect().ask("POST", "/run", run_of(R"("echo",")" + half + "\"")).status, 200);
}

TEST_F(HttpMemory, AnAnswerThatIsRefusedLeavesNoFilesThatNobodyKnows) {
  start({.limits = {.buffered = 1_MiB}});
  const auto echo = [&](char letter) {
    return "\"echo\",\"" + std::string(200 << 10, letter) + "\",\"" + add_file("a", "text") + '"';
  };
  const auto files = [&] {
    return connect().ask("GET", "/file").body;
  };
  EXPECT_EQ(connect().ask("POST", "/run", run_of(echo('<'))).status, 503);
  EXPECT_EQ(files(), "{}");
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  client.send_frame(1, ws_request("b", echo('<')));
  EXPECT_EQ(client.receive_frame().opcode, 8);
  EXPECT_EQ(files(), "{}");
  EXPECT_EQ(connect().ask("POST", "/run", run_of(echo('x'))).status, 200);
  EXPECT_TRUE(files().contains("\"a\"")) << files();
}

// Who sends much, and slowly, keeps out others who send much.
TEST(BudgetOfBytes, LittleIsTakenBesideLargeBodiesThatDoNotEnd) {
  Budget budget(32_MiB);
  Budget::Lease slow(budget);
  Budget::Lease large(budget);
  Budget::Lease little(budget);
  EXPECT_TRUE(slow.cover(28 << 20));
  EXPECT_FALSE(slow.cover((28 << 20) + 1));
  EXPECT_TRUE(large.cover(64 << 10));
  EXPECT_FALSE(large.cover((64 << 10) + 1));
  EXPECT_TRUE(little.cover(64 << 10));
  slow.shrink(20 << 20);
  EXPECT_TRUE(large.cover(2 << 20));
}

// 256 of a megabyte each were enough to keep everybody out; now all connections have room for a
// small one.
TEST(BudgetOfBytes, AsManyAsMayBeConnectedCanHaveALittleEach) {
  const Limits limits;
  Budget budget(limits.buffered);
  Budget::Lease large(budget);
  ASSERT_TRUE(large.cover(limits.buffered.count / 8 * 7));
  std::vector<std::unique_ptr<Budget::Lease>> little;
  for (unsigned i = 0; i < limits.connections; ++i) {
    little.push_back(std::make_unique<Budget::Lease>(budget));
    ASSERT_TRUE(little.back()->cover(64 << 10)) << i;
  }
}

// A run goes on while the server ends, and its request with it.
TEST(BudgetOfBytes, ALeaseMayOutliveIt) {
  std::optional<Budget> budget(std::in_place, 1_MiB);
  Budget::Lease lease(*budget);
  EXPECT_TRUE(lease.cover(100'000));
  budget.reset();
  EXPECT_TRUE(lease.cover(200'000));
  EXPECT_FALSE(lease.cover(2 << 20));
}

// The socket gave its share back when the request had come, and the service keeps it until the run
// is over: five of 64 MiB were 320 MiB that nobody had counted.
TEST_F(HttpMemory, ARequestOfAStreamCountsUntilItsRunIsOver) {
  start({.limits = {.buffered = 1_MiB}});
  const auto request = [](const std::string& how) {
    return "\1" + ws_request("r", how + ",\"" + std::string(300 << 10, 'x') + '"');
  };
  Client first = connect();
  ASSERT_TRUE(first.become_websocket("/stream"));
  first.send_frame(2, request(R"("hold","a")"));
  ASSERT_TRUE(engine_->await_started(1));
  Client second = connect();
  ASSERT_TRUE(second.become_websocket("/stream"));
  second.send_frame(2, request(R"("hold","a")"));
  const Frame goodbye = second.receive_frame();
  EXPECT_EQ(goodbye.opcode, 8);
  EXPECT_TRUE(goodbye.bytes.contains("too many bytes")) << goodbye.bytes;
  engine_->release("a");
  EXPECT_TRUE(first.receive_message().contains("Accepted"));
  Client third = connect();
  ASSERT_TRUE(third.become_websocket("/stream"));
  third.send_frame(2, request(R"("hold","a")"));
  EXPECT_TRUE(third.receive_message().contains("Accepted"));
}

TEST_F(HttpMemory, AFormCountsTwiceWhileItsPartsAreCopied) {
  start({.limits = {.buffered = 1_MiB}});
  const auto ask = [&](std::size_t size) {
    const std::string form = part("request", kOrder) + part("source", std::string(size, '#'));
    return connect().ask("POST", "/v1/submissions", form + "--XX--\r\n", kFormField).status;
  };
  EXPECT_EQ(ask(500 << 10), 503);
  EXPECT_EQ(ask(250 << 10), 200);
}

TEST_F(HttpMemory, ALargeAnswerOnAWebSocketCountsAsWell) {
  start({.limits = {.buffered = 1_MiB}});
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/ws"));
  for (int i = 0; i < 8; ++i) {  // more together than there is room for, and all were given back
    client.send_frame(1, ws_request("a", "\"echo\",\"" + std::string(200 << 10, 'x') + "\""));
    EXPECT_TRUE(client.receive_message().contains("xxx")) << i;
  }
  client.send_frame(1, ws_request("b", "\"echo\",\"" + std::string(200 << 10, '<') + "\""));
  const Frame goodbye = client.receive_frame();
  ASSERT_EQ(goodbye.opcode, 8);
  EXPECT_TRUE(goodbye.bytes.contains("too many bytes")) << goodbye.bytes;
}

// The socket gave its share back when the message was delivered, and the copy that waits for the
// program had none. This one takes two pipes full, and no more.
TEST_F(HttpMemory, InputThatWaitsForAProgramCounts) {
  start({.limits = {.buffered = 700_KiB}});
  const std::string cat = R"({"cmd":[{"args":["cat"],"files":[{"streamIn":true}]}]})";
  const std::string input = std::string("\3\0", 2) + std::string(250 << 10, 'x');
  Client first = connect();
  ASSERT_TRUE(first.become_websocket("/stream"));
  first.send_frame(2, "\1" + cat);
  first.send_frame(2, input);
  first.send_frame(9, "ping");  // answered when the input is there
  ASSERT_EQ(first.receive_frame().opcode, 10);
  const auto goodbye_of_another = [&] {
    Client another = connect();
    EXPECT_TRUE(another.become_websocket("/stream"));
    another.send_frame(2, "\1" + cat);
    another.send_frame(2, input);
    another.send_frame(9, "ping");
    return another.receive_frame();
  };
  const Frame goodbye = goodbye_of_another();
  EXPECT_EQ(goodbye.opcode, 8);
  EXPECT_TRUE(goodbye.bytes.contains("too many bytes")) << goodbye.bytes;
  first.hang_up();
  bool has_room = false;
  for (int i = 0; i < 200 && !has_room; ++i)
    has_room = goodbye_of_another().opcode == 10;
  EXPECT_TRUE(has_room) << "what the first one kept was not given back";
}

TEST_F(HttpMemory, ResultsThatWereToldAsEventsTakeNoRoomAnyMore) {
  start({.limits = {.buffered = 1_MiB}});
  judge_one(600 << 10);
  for (int i = 0; i < 4; ++i)  // more together than there is room for, and all were given back
    EXPECT_TRUE(all_events().contains("event: result\n")) << i;
}

TEST_F(HttpMemory, AResultForWhichThereIsNoRoomIsNotToldAsAnEvent) {
  start({.limits = {.buffered = 1_MiB}});
  judge_one(2 << 20);
  const std::string told = all_events();
  EXPECT_TRUE(told.contains("event: test\n")) << told.size();
  EXPECT_FALSE(told.contains("event: result\n"));
}

TEST_F(HttpMemory, AResultForWhichThereIsNoRoomEndsTheFeedOfAWebSocket) {
  start({.limits = {.buffered = 1_MiB}});
  judge_one(2 << 20);
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/v1/submissions/s/events"));
  Frame frame = client.receive_frame();
  while (frame.opcode == 1 && frame.bytes.size() < 65536)
    frame = client.receive_frame();
  ASSERT_EQ(frame.opcode, 8);
  EXPECT_EQ(frame.bytes.substr(0, 2), "\x03\xf5");  // 1013: try again later
  EXPECT_TRUE(frame.bytes.contains("too many bytes")) << frame.bytes;
}

}  // namespace
}  // namespace assay::transport
