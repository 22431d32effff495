// Processes that clients hold, over HTTP, with an engine that runs nothing.
#include "service/processes.h"

#include <gtest/gtest.h>

#include "tests/transport/fixture.h"

namespace assay::transport {
namespace {

using namespace std::chrono_literals;

class HeldByHttp : public Served {
 protected:
  ~HeldByHttp() override { stop(); }
  void before_server(Options& options) override {
    processes_.emplace(*service_, limits_);
    options.processes = &*processes_;
  }
  void after_server() override { processes_.reset(); }

  Response ask(const std::string& method, const std::string& path, const std::string& body = "") {
    Client client = connect();
    return client.ask(method, path, body);
  }
  Response start_one(const std::string& command, const std::string& more = "") {
    return ask("POST", "/v1/processes", R"({"cmd":{"args":[)" + command + "]}" + more + "}");
  }
  // Where it is.
  std::string started(const std::string& command) {
    const Response response = start_one(command);
    EXPECT_EQ(response.status, 201) << response.body;
    return response.field("Location");
  }
  static bool says(const Response& response, const std::string& text) {
    return response.body.find(text) != std::string::npos;
  }

  service::ProcessOptions limits_{.most = 3};
  std::optional<service::Processes> processes_;
};

TEST_F(HeldByHttp, StartsAndWaitsAndTerminates) {
  start();
  const std::string place = started(R"("cat")");
  for (int i = 0; i < 3; ++i) {
    const Response reading = ask("POST", place + "/wait");
    EXPECT_EQ(reading.status, 200);
    EXPECT_TRUE(says(reading, R"("status":"running normally")")) << reading.body;
    EXPECT_TRUE(says(reading, "\"section\":" + std::to_string(i))) << reading.body;
  }
  EXPECT_TRUE(says(ask("GET", place), R"("section":3)"));
  EXPECT_TRUE(says(ask("GET", "/v1/processes"), R"("running":true)"));
  const Response last = ask("DELETE", place);
  EXPECT_EQ(last.status, 200);
  EXPECT_TRUE(says(last, R"("running":false)")) << last.body;
  EXPECT_EQ(ask("DELETE", place).status, 404);
  EXPECT_EQ(ask("POST", place + "/wait").status, 404);
  EXPECT_EQ(ask("GET", "/v1/processes").body, "[]");
}

TEST_F(HeldByHttp, CarriesItsStreams) {
  start();
  const std::string place = started(R"("cat")");
  EXPECT_EQ(ask("GET", place + "/stdout").body, "");  // nothing yet, and no waiting
  EXPECT_EQ(ask("POST", place + "/stdin", "hello").body, R"({"written":5})");
  Response said = ask("GET", place + "/stdout?wait=10000");
  EXPECT_EQ(said.body, "hello");
  EXPECT_EQ(said.field("Assay-Output"), "open");
  EXPECT_EQ(ask("POST", place + "/stdin?end=1").status, 200);
  said = ask("GET", place + "/stdout?wait=10000");
  EXPECT_EQ(said.body, "");
  EXPECT_EQ(said.field("Assay-Output"), "end");
  EXPECT_EQ(ask("GET", place + "/stdout?wait=10000").field("Assay-Output"), "end");
  EXPECT_EQ(ask("POST", place + "/stdin", "to nobody").body, R"({"written":0,"closed":true})");
}

TEST_F(HeldByHttp, WaitsForOutputWithoutKeepingAThread) {
  start();
  const std::string place = started(R"("cat")");
  std::vector<Client> waiting;
  for (int i = 0; i < 40; ++i) {  // more than the server has threads
    waiting.push_back(connect());
    waiting.back().send("GET " + place + "/stdout?wait=60000 HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  EXPECT_EQ(ask("POST", place + "/stdin?end=1", "once").status, 200);
  std::string all;
  for (Client& client : waiting) {
    const Response response = client.receive();
    EXPECT_EQ(response.status, 200) << response.head << response.body;
    all += response.body;
  }
  EXPECT_EQ(all, "once");
}

TEST_F(HeldByHttp, AreSoManyAndNoMore) {
  start();
  for (int i = 0; i < 3; ++i)
    (void)started(R"("cat")");
  const Response refused = start_one(R"("cat")");
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(says(refused, "3 processes already")) << refused.body;
}

TEST_F(HeldByHttp, OfAClientThatIsGoneEndByThemselves) {
  limits_.idle = 50ms;
  start();
  const std::string place = started(R"("cat")");
  while (!processes_->list().empty())
    std::this_thread::yield();
  EXPECT_EQ(ask("GET", place).status, 404);
  EXPECT_EQ(ask("GET", "/v1/processes").body, "[]");
}

TEST_F(HeldByHttp, WithoutACoreAreTold) {
  start({}, {.parallelism = 1});
  (void)started(R"("cat")");  // takes no place
  EXPECT_EQ(start_one(R"("cat")", R"(,"core":true)").status, 201);
  ASSERT_TRUE(engine_->await_started(2));
  const Response second = start_one(R"("cat")", R"(,"core":true)");
  ASSERT_EQ(second.status, 201);
  const std::string place = second.field("Location");
  EXPECT_EQ(ask("GET", place + "/stdout").status, 503);
  EXPECT_EQ(ask("POST", place + "/stdin", "x").status, 503);
  EXPECT_TRUE(says(ask("POST", place + "/wait"), "running normally"));
  EXPECT_EQ(ask("DELETE", place).status, 200);
}

// Three of 150 MiB each were 450 MiB that nobody had counted.
TEST_F(HeldByHttp, TakeRoomForTheirRequestsUntilTheyAreOver) {
  start({.limits = {.buffered = 1_MiB}});
  const std::string place = started(R"("cat",")" + std::string(400 << 10, 'x') + '"');
  const std::string large = run_of(R"("echo",")" + std::string(500 << 10, 'x') + '"');
  EXPECT_EQ(ask("POST", "/run", large).status, 503);
  EXPECT_EQ(ask("DELETE", place).status, 200);
  int status = 0;
  for (int i = 0; i < 1000 && status != 200; ++i)  // the service lets go of it a moment later
    status = ask("POST", "/run", run_of(R"("echo",")" + std::string(250 << 10, 'x') + '"')).status;
  EXPECT_EQ(status, 200);
}

// What does not begin has its client wait, and nobody else: there are six threads for all.
TEST_F(HeldByHttp, WhoWaitsForAStartKeepsNobodyOut) {
  limits_.most = 20;
  start();
  std::vector<Client> waiting;
  for (int i = 0; i < 12; ++i) {
    waiting.push_back(connect());
    const std::string body = R"({"cmd":{"args":["hold","door"]}})";
    waiting.back().send("POST /v1/processes HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  ASSERT_TRUE(engine_->await_started(4));
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(ask("GET", "/version").status, 200);
  engine_->release("door");
  for (Client& client : waiting)
    EXPECT_EQ(client.receive().status, 201);
}

TEST_F(HeldByHttp, NeedTheTokenLikeEverythingElse) {
  start({.auth_token = "secret"});
  EXPECT_EQ(start_one(R"("cat")").status, 401);
  EXPECT_EQ(ask("GET", "/v1/processes").status, 401);
  EXPECT_EQ(ask("DELETE", "/v1/processes/x").status, 401);
}

TEST_F(HeldByHttp, RefuseWhatIsNoOrder) {
  start();
  struct Row {
    const char* body;
    const char* word;
  };
  for (const Row& row : {Row{"", "$"}, Row{"[]", "$"}, Row{"{}", "$.cmd.args"},
                         Row{R"({"cmd":{"args":[]}})", "$.cmd.args"},
                         Row{R"({"cmd":{"args":["x"]},"idle":5})", "unknown field"},
                         Row{R"({"cmd":{"args":["x"]},"idleMs":0})", "$.idleMs"},
                         Row{R"({"cmd":{"args":["x"]},"idleMs":-1})", "$.idleMs"},
                         Row{R"({"cmd":{"args":["bad"]}})", "bad request of a test"}}) {
    const Response response = ask("POST", "/v1/processes", row.body);
    EXPECT_EQ(response.status, 400) << row.body << response.body;
    EXPECT_TRUE(says(response, row.word)) << row.body << response.body;
  }
  EXPECT_EQ(ask("GET", "/v1/processes").body, "[]");
  const std::string place = started(R"("cat")");
  for (const char* wait : {"x", "-1", "60001", "", "1e3"})
    EXPECT_EQ(ask("GET", place + "/stdout?wait=" + wait).status, 400) << wait;
}

}  // namespace
}  // namespace assay::transport
