#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

class Http : public Served {};

TEST_F(Http, RunsARequestAndAnswersAnArray) {
  start();
  Client client = connect();
  const Response response = client.ask("POST", "/run", run_of(R"("echo","hi <there>")"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.field("Content-Type"), "application/json; charset=utf-8");
  EXPECT_EQ(response.body,
            "[{\"status\":\"Accepted\",\"exitStatus\":0,\"time\":0,\"memory\":0,\"runTime\":0,"
            "\"files\":{\"stdout\":\"hi \\u003cthere\\u003e\"}}]\n");
}

// It used to start all the same, and to answer nobody.
TEST_F(Http, AListenerThatCannotBeWaitedAtIsAnError) {
  start();
  Options options;
  options.listeners.emplace_back(1'000'000);  // no such descriptor
  const auto server = Server::start(*service_, std::move(options));
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, EBADF);
}

TEST_F(Http, DoesNotLookAtTheContentTypeOfARun) {
  start();
  Client client = connect();
  EXPECT_EQ(
      client.ask("POST", "/run", run_of(R"("echo","x")"), "Content-Type: text/plain\r\n").status,
      200);
}

TEST_F(Http, AnswersAWrongRequestWith400AndAJsonString) {
  start();
  Client client = connect();
  for (const std::string& body : {std::string("{"), std::string(R"({"cmd":[]})"), std::string("{}"),
                                  run_of(R"("bad")"), std::string()}) {
    const Response response = client.ask("POST", "/run", body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_EQ(response.field("Content-Type"), "application/json; charset=utf-8");
    ASSERT_GE(response.body.size(), 2U);
    EXPECT_EQ(response.body.front(), '"');
    EXPECT_EQ(response.body.back(), '"');
  }
  EXPECT_EQ(client.ask("POST", "/run", R"({"cmd":[]})").body, "\"no cmd provided\"");
  const Response negative = client.ask("POST", "/run", R"({"cmd":[{"args":["x"],"cpuLimit":-1}]})");
  EXPECT_EQ(negative.status, 400);
  EXPECT_NE(negative.body.find("$.cmd[0].cpuLimit"), std::string::npos) << negative.body;
}

TEST_F(Http, AnswersAFailureOfTheEngineWith500) {
  start();
  Client client = connect();
  const Response missing = client.ask("POST", "/run", run_of(R"("missing")"));
  EXPECT_EQ(missing.status, 500);
  EXPECT_EQ(missing.body, "\"file does not exists with id: \\\"XXXX\\\"\"");
  EXPECT_EQ(client.ask("POST", "/run", run_of(R"("broken")")).status, 500);
}

TEST_F(Http, SaysRetryAfterWhenTheQueueIsFull) {
  start({}, {.parallelism = 1, .queue_limit = 0});
  Client first = connect();
  first.send(post_run(R"("hold","door")"));
  ASSERT_TRUE(engine_->await_started(1));
  Client second = connect();
  const Response response = second.ask("POST", "/run", run_of(R"("echo","x")"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "\"worker queue is full\"");
  EXPECT_EQ(response.field("Retry-After"), "1");
  engine_->release("door");
  EXPECT_EQ(first.receive().status, 200);
}

TEST_F(Http, AnswersUnknownRoutesAndWrongMethodsWith404) {
  start();
  Client client = connect();
  for (const auto& [method, path] :
       std::vector<std::pair<std::string, std::string>>{{"GET", "/run"},
                                                        {"GET", "/"},
                                                        {"PUT", "/file"},
                                                        {"POST", "/version"},
                                                        {"GET", "/metrics"},
                                                        {"GET", "/runx"},
                                                        {"GET", "/file/a/b"},
                                                        {"POST", "/ws"},
                                                        {"BREW", "/run"},
                                                        {"DELETE", "/file/"}}) {
    const Response response = client.ask(method, path);
    EXPECT_EQ(response.status, 404) << method << path;
    EXPECT_EQ(response.body, "404 page not found");
    EXPECT_EQ(response.field("Content-Type"), "text/plain");
  }
}

TEST_F(Http, ServesVersionAndConfigWithoutATokenAndTheRestOnlyWithIt) {
  start({.auth_token = "s3cret"});
  Client client = connect();
  EXPECT_EQ(client.ask("GET", "/version").body, R"({"buildVersion":"v1.12.2"})");
  EXPECT_EQ(client.ask("GET", "/config").body, R"({"fileStorePath":"/x"})");
  const Response refused = client.ask("POST", "/run", run_of(R"("echo","x")"));
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.body, "");
  EXPECT_EQ(client.ask("GET", "/nowhere").status, 401);
  for (const char* wrong : {"Bearer s3cre", "Bearer s3cret ", "bearer s3cret", "Bearer", "Bearer ",
                            "Bearer S3CRET", "s3cret", "Bearer s3crets3cret"}) {
    // A field's trailing blanks are no part of it, so that one is right.
    const int status =
        client.ask("GET", "/file", "", std::string("Authorization: ") + wrong + "\r\n").status;
    EXPECT_EQ(status, std::string_view(wrong) == "Bearer s3cret " ? 200 : 401) << wrong;
  }
  const std::string right = "Authorization: Bearer s3cret\r\n";
  EXPECT_EQ(client.ask("POST", "/run", run_of(R"("echo","x")"), right).status, 200);
  EXPECT_EQ(client.ask("GET", "/nowhere", "", right).status, 404);
  EXPECT_EQ(client.ask("GET", "/ws", "", "Connection: Upgrade\r\nUpgrade: websocket\r\n").status,
            401);
}

TEST_F(Http, AnswersManyRequestsOnOneConnectionAndPipelinedOnesInOrder) {
  start();
  Client client = connect();
  std::string all;
  for (int i = 0; i < 20; ++i) {
    const std::string body = run_of(R"("echo","number )" + std::to_string(i) + "\"");
    all += "POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  }
  client.send(all);
  for (int i = 0; i < 20; ++i) {
    const Response response = client.receive();
    EXPECT_EQ(response.status, 200);
    EXPECT_NE(response.body.find("number " + std::to_string(i) + "\""), std::string::npos);
  }
}

TEST_F(Http, TakesARequestByteByByte) {
  start();
  Client client = connect();
  const std::string body = run_of(R"("echo","slow")");
  for (const char byte : "POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                             std::to_string(body.size()) + "\r\n\r\n" + body)
    client.send(std::string(1, byte));
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(Http, TakesChunkedBodies) {
  start();
  Client client = connect();
  const std::string body = run_of(R"("echo","chunked")");
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const char byte : body)
    client.send(std::string("1\r\n") + byte + "\r\n");
  client.send("0\r\n\r\n");
  const Response response = client.receive();
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("chunked"), std::string::npos);
  EXPECT_EQ(client.ask("GET", "/version").status, 200);
}

TEST_F(Http, SaysContinueToThoseWhoWaitForIt) {
  start();
  Client client = connect();
  const std::string body = run_of(R"("echo","x")");
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n");
  EXPECT_EQ(client.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send(body);
  EXPECT_EQ(client.receive().status, 200);
}

TEST_F(Http, RefusesWithoutContinueWhatItWillNotRead) {
  start({.auth_token = "t"});
  Client client = connect();
  client.send(
      "POST /run HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n");
  const Response response = client.receive();
  EXPECT_EQ(response.status, 401);
  EXPECT_EQ(response.field("Connection"), "close");
  EXPECT_TRUE(client.at_end());
}

TEST_F(Http, ReadsASmallUnwantedBodySoThatTheConnectionStays) {
  start();
  Client client = connect();
  EXPECT_EQ(client.ask("POST", "/nowhere", std::string(100'000, 'x')).status, 404);
  EXPECT_EQ(client.ask("GET", "/version").status, 200);
}

TEST_F(Http, ClosesWhenTheClientAsksForItAndAfterHttp10) {
  start();
  Client one = connect();
  EXPECT_EQ(one.ask("GET", "/version", "", "Connection: close\r\n").field("Connection"), "close");
  EXPECT_TRUE(one.at_end());
  Client two = connect();
  two.send("GET /version HTTP/1.0\r\n\r\n");
  const Response old = two.receive();
  EXPECT_TRUE(old.head.starts_with("HTTP/1.0 200 OK\r\n")) << old.head;
  EXPECT_TRUE(two.at_end());
  Client three = connect();
  three.send("GET /version HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(three.receive().field("Connection"), "keep-alive");
  EXPECT_EQ(three.ask("GET", "/version").status, 200);
}

TEST_F(Http, AnswersHeadWithoutABody) {
  start();
  Client client = connect();
  const Response response = client.ask("HEAD", "/version");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.field("Content-Length"), "26");
  EXPECT_EQ(client.ask("GET", "/version").body.size(), 26U);
}

TEST_F(Http, EchoesARequestIdThatIsPlain) {
  start();
  Client client = connect();
  EXPECT_EQ(client.ask("GET", "/version", "", "X-Request-Id: abc-1\r\n").field("X-Request-Id"),
            "abc-1");
  EXPECT_EQ(client.ask("GET", "/version", "", "X-Request-Id: " + std::string(200, 'a') + "\r\n")
                .field("X-Request-Id"),
            "(none)");
}

TEST_F(Http, RefusesMalformedRequestsWith400AndCloses) {
  start();
  for (const char* bad :
       {"GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost x\r\n\r\n", "GET /version HTTP/1.1\r\n\r\n",
        "GET /file/%zz HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        "POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\x16\x03\x01\x02\x01\r\n\r\n"}) {
    Client client = connect();
    client.send(bad);
    EXPECT_EQ(client.receive().status, 400) << bad;
    EXPECT_TRUE(client.at_end());
  }
  EXPECT_EQ(connect().ask("GET", "/version").status, 200);
}

TEST_F(Http, RefusesOtherExpectations) {
  start();
  Client client = connect();
  EXPECT_EQ(client.ask("POST", "/run", "{}", "Expect: miracles\r\n").status, 417);
}

TEST_F(Http, RefusesAHeaderThatIsTooLarge) {
  start({.limits = {.header = 8_KiB}});
  Client client = connect();
  client.send("GET /version HTTP/1.1\r\nHost: x\r\nCookie: " + std::string(20'000, 'c'));
  EXPECT_EQ(client.receive().status, 431);
  EXPECT_TRUE(client.at_end());
}

TEST_F(Http, RefusesABodyThatIsTooLargeBeforeItIsSent) {
  start({.limits = {.body = 1_MiB}});
  Client client = connect();
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 1073741824\r\n\r\n");
  const Response response = client.receive();
  EXPECT_EQ(response.status, 413);
  EXPECT_EQ(response.body, "\"the body is larger than 1048576 bytes\"");
  EXPECT_EQ(response.field("Connection"), "close");
}

TEST_F(Http, RefusesAChunkedBodyThatGrowsTooLarge) {
  start({.limits = {.body = 100_KiB}});
  Client client = connect();
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 20; ++i)
    client.send("4000\r\n" + std::string(0x4000, 'x') + "\r\n");
  EXPECT_EQ(client.receive().status, 413);
}

TEST_F(Http, RefusesMoreBytesThanAllConnectionsMayHold) {
  start({.limits = {.buffered = 256_KiB}});
  Client holder = connect();
  holder.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" +
              std::string(190'000, ' '));
  Client client = connect();
  const Response response = client.ask("POST", "/run", std::string(290'000, ' '));
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.field("Retry-After"), "1");
  holder.hang_up();
  // What it held comes back as soon as the server sees it go.
  Response again;
  do
    again = connect().ask("POST", "/run", std::string(100'000, ' ') + run_of(R"("echo","x")"));
  while (again.status == 503);
  EXPECT_EQ(again.status, 200);
}

TEST_F(Http, EndsAConnectionThatNeverFinishesItsHeader) {
  start({.limits = {.idle = 1s}});
  Client client = connect();
  client.send("GET /version HTT");
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.at_end());
}

TEST_F(Http, EndsAConnectionThatSaysNothing) {
  start({.limits = {.idle = 1s}});
  Client client = connect();
  EXPECT_TRUE(client.at_end());
}

TEST_F(Http, EndsAConnectionWhoseBodyStops) {
  start({.limits = {.body_progress = 1s}});
  Client client = connect();
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  EXPECT_EQ(client.receive().status, 408);
}

TEST_F(Http, EndsAConnectionThatDoesNotTakeItsAnswer) {
  start({.limits = {.write = 1s}});
  const std::string id = add_file("large", std::string(30'000'000, 'x'));
  Client client = connect();
  client.send("GET /file/" + id + " HTTP/1.1\r\nHost: x\r\n\r\n");
  // The server shuts the connection down; only then is there an end to what can be read.
  std::this_thread::sleep_for(2s);
  const Response response = client.receive();
  EXPECT_LT(response.body.size(), 30'000'000U);
}

TEST_F(Http, CancelsARunWhoseClientHangsUp) {
  start({}, {.parallelism = 1});
  Client client = connect();
  const std::string body = run_of(R"("hold","for ever")");
  client.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n\r\n" + body);
  ASSERT_TRUE(engine_->await_started(1));
  client.hang_up();
  EXPECT_EQ(connect().ask("POST", "/run", run_of(R"("echo","next")")).status, 200);
}

TEST_F(Http, ARequestInLineEndsWhenItsClientHangsUp) {
  start({}, {.parallelism = 1});
  Client running = connect();
  running.send(post_run(R"("hold","door")"));
  ASSERT_TRUE(engine_->await_started(1));
  Client waiting = connect();
  waiting.send(post_run(R"("echo","for nobody")"));
  while (service_->snapshot().queued == 0)
    std::this_thread::yield();
  waiting.hang_up();
  while (service_->snapshot().queued != 0)  // while the other one still runs
    std::this_thread::yield();
  while (service_->snapshot().cancelled == 0)  // counted when it is told, which is a moment later
    std::this_thread::yield();
  EXPECT_NE(connect_monitor().ask("GET", "/metrics").body.find("assay_requests_cancelled_total 1"),
            std::string::npos);
  engine_->release("door");
  EXPECT_EQ(running.receive().status, 200);
  EXPECT_EQ(engine_->started().size(), 1U);
}

TEST_F(Http, PipelinedRequestsOfOneWhoHungUpInLineHarmNobody) {
  start({}, {.parallelism = 1, .queue_limit = 2});
  Client running = connect();
  running.send(post_run(R"("hold","door")"));
  ASSERT_TRUE(engine_->await_started(1));
  Client waiting = connect();
  for (int i = 0; i < 50; ++i)
    waiting.send(post_run(R"("echo","for nobody")"));
  while (service_->snapshot().queued == 0)
    std::this_thread::yield();
  waiting.hang_up();
  while (service_->snapshot().cancelled == 0 || service_->snapshot().queued != 0)
    std::this_thread::yield();
  Client living = connect();
  living.send(post_run(R"("echo","x")"));
  engine_->release("door");
  EXPECT_EQ(running.receive().status, 200);
  EXPECT_EQ(living.receive().status, 200);
}

TEST_F(Http, TakesNoMoreConnectionsThanAllowed) {
  start({.limits = {.connections = 2}});
  Client one = connect();
  EXPECT_EQ(one.ask("GET", "/version").status, 200);
  Client two = connect();
  EXPECT_EQ(two.ask("GET", "/version").status, 200);
  EXPECT_EQ(connect().receive().status, 503);
  EXPECT_EQ(one.ask("GET", "/version").status, 200);
}

TEST_F(Http, ServesMoreConnectionsThanThreads) {
  start({}, {.parallelism = 2});
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int number = 0; number < 16; ++number) {
    clients.emplace_back([&, number] {
      Client client = connect();
      for (int i = 0; i < 50; ++i) {
        const std::string text = std::to_string(number) + "-" + std::to_string(i);
        const Response response = client.ask("POST", "/run", run_of(R"("echo",")" + text + "\""));
        if (response.status == 200 && response.body.find("\"" + text + "\"") != std::string::npos)
          ++right;
      }
    });
  }
  for (std::thread& client : clients)
    client.join();
  EXPECT_EQ(right, 16 * 50);
}

TEST_F(Http, IsHealthyAndReadyUntilItDrains) {
  start();
  EXPECT_EQ(connect().ask("GET", "/healthz").status, 200);
  EXPECT_EQ(connect().ask("GET", "/readyz").status, 200);
  EXPECT_EQ(connect_monitor().ask("GET", "/readyz").status, 200);
  service_->drain(0ms);
  EXPECT_EQ(connect().ask("GET", "/readyz").status, 503);
  EXPECT_EQ(connect_monitor().ask("GET", "/readyz").status, 503);
  const Response refused = connect().ask("POST", "/run", run_of(R"("echo","x")"));
  EXPECT_EQ(refused.status, 500);
  EXPECT_EQ(refused.body, "\"worker is shutting down\"");
}

TEST_F(Http, AnswersWhatItHasAndClosesWhenItStopsAccepting) {
  start();
  Client idle = connect();
  EXPECT_EQ(idle.ask("GET", "/version").status, 200);
  Client busy = connect();
  const std::string body = run_of(R"("hold","door")");
  busy.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body);
  ASSERT_TRUE(engine_->await_started(1));
  server_->stop_accepting();
  EXPECT_TRUE(idle.at_end());
  engine_->release("door");
  const Response last = busy.receive();
  EXPECT_EQ(last.status, 200);
  EXPECT_EQ(last.field("Connection"), "close");
  EXPECT_EQ(connect_monitor().ask("GET", "/readyz").status, 503);
}

TEST_F(Http, EndsEveryConnectionWithTheServer) {
  start({}, {.parallelism = 1});
  Client idle = connect();
  EXPECT_EQ(idle.ask("GET", "/version").status, 200);
  Client busy = connect();
  const std::string body = run_of(R"("hold","for ever")");
  busy.send("POST /run HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body);
  ASSERT_TRUE(engine_->await_started(1));
  stop();
  EXPECT_TRUE(idle.at_end());
  EXPECT_TRUE(busy.at_end());
}

TEST_F(Http, DescribesItself) {
  start();
  const Response response = connect().ask("GET", "/openapi.json");
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("/run"), std::string::npos);
}

TEST_F(Http, LogsRoutesAndNeverTokensOrPaths) {
  std::mutex lock;
  std::vector<std::string> lines;
  start({.auth_token = "s3cret", .access_log = [&](const std::string& line) {
           const std::lock_guard guard(lock);
           lines.push_back(line);
         }});
  Client client = connect();
  client.ask("GET", "/file/SECRETID", "", "Authorization: Bearer s3cret\r\n");
  stop();  // nobody writes to the log any more
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find(R"("method":"GET","route":"/file/:fid","status":404)"), std::string::npos)
      << lines[0];
  EXPECT_EQ(lines[0].find("s3cret"), std::string::npos);
  EXPECT_EQ(lines[0].find("SECRETID"), std::string::npos);
}

// A proxy before us may understand them: what it takes for a body we would take for a request.
TEST_F(Http, RefusesEveryTransferCodingButChunkedAlone) {
  start();
  const std::string body = "0\r\n\r\nGET /version HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const std::string coding : {"xchunked", "chunked, identity", "gzip, chunked", "identity",
                                   "chunked, chunked", "chunked;q=1", "", "chunkedx"}) {
    Client client = connect();
    client.send("POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + coding + "\r\n\r\n" +
                body);
    EXPECT_EQ(client.receive().status, 400) << coding;
    EXPECT_TRUE(client.at_end()) << coding;
  }
  for (const std::string head :
       {"POST /run HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /run HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
        "chunked\r\n\r\n"}) {
    Client client = connect();
    client.send(head + body);
    EXPECT_EQ(client.receive().status, 400) << head;
    EXPECT_TRUE(client.at_end()) << head;
  }
}

}  // namespace
}  // namespace assay::transport
