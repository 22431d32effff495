// Normal-OJ's intake over HTTP, with a house that takes what the id says.
#include <gtest/gtest.h>

#include "tests/transport/fixture.h"
#include "transport/noj_doors.h"

namespace assay::transport {
namespace {

std::string part(const std::string& name, const std::string& value) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
}

std::string form(const std::string& token = "right", const std::string& archive = "zip") {
  return part("token", token) + part("problem_id", "3") + part("language", "1") +
         form_of("src", "x.zip", archive);
}

class NojIntake : public Served {
 protected:
  ~NojIntake() override { stop(); }

  void before_server(Options& options) override {
    options.auth_token = "of others";
    options.noj = std::make_shared<NojDoors>(NojDoors{
        .token = "right",
        .submit =
            [this](const std::string& id, const wire::NojSubmission& what, std::string archive) {
              taken_ = id + " " + std::to_string(what.problem) + " " + archive;
              return answer(id);
            },
        .queue =
            [] {
              return wire::NojQueue{.queued = 1, .most = 4, .most_running = 2};
            }});
  }
  static Status answer(const std::string& id) {
    if (id == "bad") return invalid("none main");
    if (id == "twice") return std::unexpected(Error{Fault::Conflict, 0, "in progress"});
    if (id == "full") return std::unexpected(Error{Fault::Busy, 0, "queue is full"});
    if (id == "ill") return system_error(EIO, "read the disk");
    return {};
  }
  Response submit(const std::string& id, const std::string& body,
                  const std::string& fields = kFormField) {
    return connect().ask("POST", "/submit/" + id, body, fields);
  }

  std::string taken_;
};

TEST_F(NojIntake, TakesAForm) {
  start();
  const Response response = submit("a1", form());
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"status":"ok","msg":"ok","data":"ok"})");
  EXPECT_EQ(taken_, "a1 3 zip");
}

TEST_F(NojIntake, EveryRefusalHasTheStatusThatItsBackEndKnows) {
  start();
  EXPECT_EQ(submit("bad", form()).status, 400);
  EXPECT_EQ(submit("bad", form()).body, "none main");
  const Response twice = submit("twice", form());
  EXPECT_EQ(twice.status, 409);
  EXPECT_EQ(twice.body, R"({"status":"err","message":"in progress","data":null})");
  EXPECT_EQ(submit("full", form()).status, 500);
  EXPECT_EQ(submit("ill", form()).status, 500);
}

TEST_F(NojIntake, NothingIsTakenWithoutTheToken) {
  start();
  for (const char* token : {"", "righ", "rightt", "wrong", "right\n", "of others"}) {
    const Response response = submit("a1", form(token));
    EXPECT_EQ(response.status, 403) << token;
    EXPECT_EQ(response.body, "invalid token");
  }
  EXPECT_EQ(submit("a1", part("problem_id", "3") + form_of("src", "x", "zip")).status, 403);
  // The other interface's token opens nothing here, and this one's nothing there.
  EXPECT_EQ(submit("a1", form("wrong"), std::string(kFormField) + "Authorization: Bearer right\r\n")
                .status,
            403);
  EXPECT_EQ(connect().ask("GET", "/file", "", "Authorization: Bearer right\r\n").status, 401);
  EXPECT_EQ(taken_, "");
}

// Their token comes with the bytes: a hundred who never finish were 503 for everybody who had one.
TEST_F(NojIntake, FormsThatDoNotEndKeepNobodyElseOut) {
  start({.limits = {.form = std::chrono::seconds(1), .buffered = 2_MiB}});
  const auto begin = [&](std::size_t size) {
    Client stranger = connect();
    stranger.send("POST /submit/a HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000\r\n" +
                  std::string(kFormField) + "\r\n" + form("wrong", std::string(size, 'x')));
    return stranger;
  };
  std::vector<Client> strangers;
  for (int i = 0; i < 20; ++i)
    strangers.push_back(begin(200 << 10));
  const std::string large = run_of(R"("echo",")" + std::string(500 << 10, 'x') + '"');
  EXPECT_EQ(connect().ask("POST", "/run", large, "Authorization: Bearer of others\r\n").status,
            200);
  for (Client& stranger : strangers)
    EXPECT_EQ(stranger.receive().status, 500);
  EXPECT_EQ(begin(50 << 10).receive().status, 408);  // it had room, and no more than its time
  EXPECT_EQ(submit("a1", form()).status, 200);
}

TEST_F(NojIntake, WhatIsNoFormIsOneSentence) {
  start();
  EXPECT_EQ(submit("a1", form(), "").body, "the body must be multipart/form-data");
  EXPECT_EQ(submit("a1", "").body, "not a whole form");
  EXPECT_EQ(submit("a1", "--XX\r\nContent-Dis").body, "not a whole form");
  EXPECT_EQ(submit("a1", part("token", std::string(5000, 'x')) + form()).body, "not a whole form");
  std::string many;
  for (int i = 0; i < 40; ++i)
    many += part("f" + std::to_string(i), "x");
  EXPECT_EQ(submit("a1", many + form()).body, "not a whole form");
  std::string again;  // one name, and as many parts
  for (int i = 0; i < 40; ++i)
    again += part("token", "right");
  EXPECT_EQ(submit("a1", again + form()).body, "not a whole form");
  EXPECT_EQ(submit("a1", part("token", "right") + part("src", "one") + form()).body,
            "not a whole form");  // which of the two?
  EXPECT_EQ(submit("a1", part("token", "right") + "--XX--\r\n").body, "missing problem id");
  EXPECT_EQ(submit("a1", part("token", "right") + part("problem_id", "1") + part("language", "0") +
                             "--XX--\r\n")
                .body,
            "no file in 'src' directory");
  EXPECT_EQ(taken_, "");
}

// Its token is in the body: a stranger makes us read no more than a submission may have.
TEST_F(NojIntake, AStrangerIsNotReadForEver) {
  start();
  const Response response = submit("a1", form("wrong", std::string(18U << 20U, 'x')));
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, "a submission has at most 17825792 bytes");
  Client client = connect();
  client.send("POST /submit/a1 HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n" +
              std::string(kFormField) + "\r\n");
  const std::string chunk = "100000\r\n" + std::string(1U << 20U, 'x') + "\r\n";
  for (int i = 0; i < 18; ++i)
    client.send(chunk);
  EXPECT_EQ(client.receive().status, 400);
}

TEST_F(NojIntake, TheStateIsShownInFullToWhoeverHasTheToken) {
  start();
  EXPECT_EQ(connect().ask("GET", "/status").body, R"({"load":0.25})");
  for (const char* query : {"?token=", "?token=wrong", "?token=%", "?tokens=right", "?x=1&token"})
    EXPECT_EQ(connect().ask("GET", std::string("/status") + query).body, R"({"load":0.25})");
  for (const char* query : {"?token=right", "?x=1&token=r%69ght&y"})
    EXPECT_EQ(connect().ask("GET", std::string("/status") + query).body,
              R"({"load":0.25,"queueSize":1,"maxTaskCount":4,"containerCount":0,)"
              R"("maxContainerCount":2,"submissions":[],"running":true})");
}

class NoNojIntake : public Served {
 protected:
  ~NoNojIntake() override { stop(); }
};

TEST_F(NoNojIntake, IsLikeEveryPathThatIsNotThere) {
  start({.auth_token = "of others"});
  EXPECT_EQ(connect().ask("GET", "/status").status, connect().ask("GET", "/nothing").status);
  EXPECT_EQ(connect().ask("POST", "/submit/a1", form(), kFormField).status,
            connect().ask("POST", "/nothing/a1", form(), kFormField).status);
}

}  // namespace
}  // namespace assay::transport
