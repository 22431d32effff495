// Our own interface over HTTP, with a judge that judges nothing.
#include <gtest/gtest.h>

#include "judge/problem_languages.h"
#include "service/stored_contents.h"
#include "store/digest.h"
#include "tests/service/fake_judge.h"
#include "tests/transport/fixture.h"
#include "transport/judging_doors.h"

namespace assay::transport {
namespace {

const std::string kProblem =
    R"("problem":{"tests":[{"testId":"1","input":"a","answer":"b"},{"input":"c","answer":"d"}]})";

std::string submission(const std::string& id, const std::string& language,
                       const std::string& more = "") {
  const std::string name = id.empty() ? "" : R"("submissionId":")" + id + "\",";
  return "{" + name + R"("language":")" + language + R"(","source":"x",)" + more + kProblem + "}";
}

class Courts : public Served {
 protected:
  ~Courts() override { stop(); }

  void before_server(Options& options) override {
    auto judge = std::make_unique<service::FakeJudge>();
    judge_ = judge.get();
    contents_.emplace(*store_, nullptr);
    judgings_.emplace(std::move(judge), *service_,
                      service::JudgingOptions{.at_once = 1, .queue_limit = 2}, nullptr);
    options.judging =
        std::make_shared<JudgingDoors>(JudgingDoors{.judgings = *judgings_,
                                                    .problems = problems_,
                                                    .contents = *contents_,
                                                    .languages_json = [] {
                                                      return std::string(R"([{"id":"c"}])");
                                                    }});
    packages_.emplace(*service_, load);
    options.judging->load_package = [this](judge::Content archive,
                                           service::Packages::Loaded loaded) {
      packages_->load(std::move(archive), std::move(loaded));
    };
    options.judging->check_problem = [](const judge::Problem& problem) {
      return judge::check_languages(problem, judge::LanguageSet::of({{.id = "c"}}).value());
    };
  }
  void after_server() override {
    packages_.reset();
    judgings_.reset();
  }

  static Result<judge::Problem> load(const judge::Content& archive, judge::Cancellation&) {
    const std::uint64_t size = TRY(judge::size_of(archive.file->get())).count;
    if (size == 4) return invalid("no tests in this package");
    judge::Problem problem;
    for (std::uint64_t i = 4; i < std::min<std::uint64_t>(size, 20); ++i)
      problem.tests.push_back({.id = std::to_string(i)});
    return problem;
  }

  Response submit(const std::string& body) {
    Client client = connect();
    return client.ask("POST", "/v1/submissions", body);
  }
  bool hold(const std::string& id) {
    return submit(submission(id, "hold door")).status == 202 && judge_->await_started(1);
  }

  service::FakeJudge* judge_ = nullptr;
  service::Problems problems_;
  std::optional<service::StoredContents> contents_;
  std::optional<service::Judgings> judgings_;
  std::optional<service::Packages> packages_;
};

TEST_F(Courts, AnswerWithTheResultWhenSomebodyWaits) {
  start();
  const Response response = submit(submission("s1", "right", R"("wait":true,)"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.field("Location"), "/v1/submissions/s1");
  EXPECT_TRUE(
      response.body.starts_with(R"({"submissionId":"s1","status":"Finished","verdict":"AC")"))
      << response.body;
}

TEST_F(Courts, AnswerAtOnceWhenNobodyWaits) {
  start();
  ASSERT_TRUE(hold("s1"));
  Client client = connect();
  Response response = client.ask("GET", "/v1/submissions/s1");
  while (response.body.contains(R"("status":"Compiling")"))  // ended by the test's time limit
    response = client.ask("GET", "/v1/submissions/s1");
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find(R"("status":"Running","progress":{"totalTests":2,"doneTests":0})"),
            std::string::npos)
      << response.body;
  judge_->release("door");
}

TEST_F(Courts, TakeAnIdOnce) {
  start();
  ASSERT_TRUE(hold("s1"));
  EXPECT_EQ(submit(submission("s1", "hold door")).status, 202);
  const Response other = submit(submission("s1", "right"));
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(other.body,
            R"({"error":{"code":"conflict","message":"submission 's1' exists and is another"}})");
  judge_->release("door");
  EXPECT_EQ(submit(submission("s1", "hold door", R"("wait":true,)")).status, 200);
  EXPECT_EQ(judge_->started().size(), 1U);
}

TEST_F(Courts, TellWhatIsWrong) {
  start();
  const std::pair<std::string, std::string> cases[] = {
      {"", "$: "},
      {"{", "$: "},
      {R"({"language":"c"})", "$: expected a source, sources or an archive"},
      {R"({"language":"c","source":"x","problemId":"no"})", "$.problemId: no problem 'no'"},
      {submission("../x", "right"), "a submissionId is at most 128"},
      {submission("", "bad"), "bad order of a test"},
      {submission("", "right", R"("webhook":"http://x/",)"), "$.webhook: this server calls nobody"},
      {submission("", "right", R"("source":{"path":"/etc/shadow"},)"), "$."},
  };
  for (const auto& [body, expected] : cases) {
    const Response response = submit(body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_TRUE(
        response.body.starts_with(R"({"error":{"code":"invalid_request","message":")" + expected))
        << response.body;
  }
}

TEST_F(Courts, KnowNothingOfOthers) {
  start();
  Client client = connect();
  for (const char* path : {"/v1/submissions/none", "/v1/submissions/none/events",
                           "/v1/problems/none", "/v1/submissions/%3Cscript%3E"}) {
    const Response response = client.ask("GET", path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_EQ(response.body.find("<script>"), std::string::npos);
  }
  EXPECT_EQ(client.ask("DELETE", "/v1/submissions/none").status, 404);
  EXPECT_EQ(client.ask("DELETE", "/v1/problems/none").status, 404);
  EXPECT_EQ(client.ask("GET", "/v1/submissions").status, 404);
  EXPECT_EQ(client.ask("GET", "/v1/submissions//events").status, 404);
}

TEST_F(Courts, CancelWhatRunsAndWhatWaits) {
  start();
  ASSERT_TRUE(hold("running"));
  EXPECT_EQ(submit(submission("waiting", "right")).status, 202);
  Client client = connect();
  EXPECT_EQ(client.ask("DELETE", "/v1/submissions/waiting").status, 204);
  EXPECT_NE(client.ask("GET", "/v1/submissions/waiting").body.find(R"("message":"cancelled")"),
            std::string::npos);
  EXPECT_EQ(client.ask("DELETE", "/v1/submissions/running").status, 204);
  const Response over = submit(submission("running", "hold door", R"("wait":true,)"));
  EXPECT_EQ(over.status, 200);
  EXPECT_NE(over.body.find(R"("status":"Failed","verdict":"SKIPPED","message":"cancelled")"),
            std::string::npos)
      << over.body;
}

TEST_F(Courts, RefuseMoreThanTheyCanHold) {
  start();
  ASSERT_TRUE(hold("1"));
  EXPECT_EQ(submit(submission("2", "right")).status, 202);
  EXPECT_EQ(submit(submission("3", "right")).status, 202);
  const Response full = submit(submission("4", "right"));
  EXPECT_EQ(full.status, 503);
  EXPECT_EQ(full.field("Retry-After"), "1");
  EXPECT_NE(full.body.find(R"("code":"busy")"), std::string::npos);
  judge_->release("door");
}

TEST_F(Courts, StreamEveryEventAndThenEnd) {
  start();
  ASSERT_TRUE(hold("s"));
  Client client = connect();
  client.send("GET /v1/submissions/s/events HTTP/1.1\r\nHost: t\r\n\r\n");
  const Response head = client.receive(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.field("Content-Type"), "text/event-stream");
  EXPECT_EQ(head.field("Content-Length"), "(none)");
  EXPECT_EQ(
      client.receive_until("\n\n"),
      "id: 1\nevent: queued\ndata: {\"number\":1,\"event\":\"queued\",\"submissionId\":\"s\"}\n\n");
  EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 2\nevent: begun\n"));
  EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 3\nevent: compiled\n"));
  judge_->release("door");
  EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 4\nevent: test\n"));
  EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 5\nevent: test\n"));
  EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 6\nevent: result\n"));
  EXPECT_TRUE(client.at_end());
}

TEST_F(Courts, GoOnWhereAClientLeftOff) {
  start();
  ASSERT_EQ(submit(submission("s", "right", R"("wait":true,)")).status, 200);
  for (const auto& [path, fields] : {std::pair{"/v1/submissions/s/events", "Last-Event-ID: 5\r\n"},
                                     {"/v1/submissions/s/events?after=5", ""},
                                     {"/v1/submissions/s/events?x=1&after=5&y=2", ""}}) {
    Client client = connect();
    client.send(std::string("GET ") + path + " HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n");
    EXPECT_EQ(client.receive(true).status, 200);
    EXPECT_TRUE(client.receive_until("\n\n").starts_with("id: 6\nevent: result\n")) << path;
    EXPECT_TRUE(client.at_end());
  }
  Client late = connect();
  late.send("GET /v1/submissions/s/events?after=99 HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(late.receive(true).status, 200);
  // Seen in an earlier life of the daemon, which had more to tell.
  for (const char* step : {"id: 1\n", "id: 2\n", "id: 3\n", "id: 4\n", "id: 5\n", "id: 6\n"})
    EXPECT_TRUE(late.receive_until("\n\n").starts_with(step)) << step;
  EXPECT_TRUE(late.at_end());
}

TEST_F(Courts, FeedAWebSocket) {
  start();
  ASSERT_TRUE(hold("s"));
  Client client = connect();
  ASSERT_TRUE(client.become_websocket("/v1/submissions/s/events"));
  for (const char* event : {"queued", "begun", "compiled"})
    EXPECT_NE(client.receive_message().find(std::string(R"("event":")") + event),
              std::string::npos);
  judge_->release("door");
  for (const char* event : {"test", "test", "result"})
    EXPECT_NE(client.receive_message().find(std::string(R"("event":")") + event),
              std::string::npos);
  EXPECT_EQ(client.receive_message(), "(closed)");
}

TEST_F(Courts, ForgetAWatcherThatGoes) {
  start();
  ASSERT_TRUE(hold("s"));
  {
    Client client = connect();
    ASSERT_TRUE(client.become_websocket("/v1/submissions/s/events"));
    client.receive_message();
    Client other = connect();
    other.send("GET /v1/submissions/s/events HTTP/1.1\r\nHost: t\r\n\r\n");
    EXPECT_EQ(other.receive(true).status, 200);
  }
  judge_->release("door");
  EXPECT_EQ(submit(submission("s", "hold door", R"("wait":true,)")).status, 200);
}

TEST_F(Courts, CancelWhatNobodyCanAskForAnyMore) {
  start();
  {
    Client client = connect();
    const std::string body = submission("", "hold for ever", R"("wait":true,)");
    client.send("POST /v1/submissions HTTP/1.1\r\nHost: t\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
    ASSERT_TRUE(judge_->await_started(1));
  }
  // The next one can only run when the first one is over.
  EXPECT_EQ(submit(submission("next", "right", R"("wait":true,)")).status, 200);
  EXPECT_EQ(judgings_->snapshot().cancelled, 1U);
}

TEST_F(Courts, KeepProblems) {
  start();
  Client client = connect();
  const std::string problem = R"({"tests":[{"input":"a","answer":"b"}]})";
  const Response first = client.ask("PUT", "/v1/problems/sum", problem);
  EXPECT_EQ(first.status, 201);
  EXPECT_TRUE(first.body.starts_with(R"({"problemId":"sum","digest":")")) << first.body;
  EXPECT_EQ(client.ask("PUT", "/v1/problems/sum", problem).status, 200);
  EXPECT_EQ(client.ask("GET", "/v1/problems/sum").body, first.body);
  EXPECT_EQ(client.ask("GET", "/v1/problems").body, "[" + first.body + "]");
  const std::string by_id = R"({"language":"right","source":"x","problemId":"sum","wait":true})";
  EXPECT_EQ(client.ask("POST", "/v1/submissions", by_id).status, 200);
  EXPECT_EQ(client.ask("DELETE", "/v1/problems/sum").status, 204);
  EXPECT_EQ(client.ask("POST", "/v1/submissions", by_id).status, 400);
  const Response foreign = client.ask(
      "PUT", "/v1/problems/sum",
      R"({"checker":{"language":"klingon","source":"x"},"tests":[{"input":"1","answer":"2"}]})");
  EXPECT_EQ(foreign.status, 400);
  EXPECT_NE(foreign.body.find("the checker: no language 'klingon'"), std::string::npos)
      << foreign.body;
  const Response bad = client.ask("PUT", "/v1/problems/sum", R"({"tests":[]})");
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(client.ask("PUT", "/v1/problems/.x", problem).status, 400);
}

// The fake loader's problem has as many tests as the archive has bytes after its magic.
TEST_F(Courts, KeepProblemsThatComeAsArchives) {
  start();
  Client client = connect();
  const auto put = [&](const std::string& body, const std::string& type) {
    client.send("PUT /v1/problems/packed HTTP/1.1\r\nHost: t\r\nContent-Length: " +
                std::to_string(body.size()) + (type.empty() ? "" : "\r\nContent-Type: " + type) +
                "\r\n\r\n" + body);
    return client.receive();
  };
  const std::string zip = "PK\3\4ab";
  const Response first = put(zip, "");
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_NE(first.body.find(R"("tests":2)"), std::string::npos) << first.body;
  EXPECT_NE(first.body.find(store::digest_of(zip)), std::string::npos) << first.body;
  EXPECT_EQ(put("PK\3\4abc", "application/x-www-form-urlencoded").status, 200);
  EXPECT_EQ(put("abcdefg", "application/zip; x=y").status, 200);
  // A tar has no magic at its start.
  std::string tar(1024, 't');
  tar.replace(257, 5, "ustar");
  EXPECT_EQ(put(tar, "").status, 200);
  EXPECT_EQ(put("PK\3\4ab", "Application/JSON").status, 400);
  // JSON is never a tar, whatever stands where.
  std::string json = R"({"tests":[{"input":")" + std::string(800, 'x') + R"(","answer":""}]})";
  json.replace(257, 5, "ustar");
  EXPECT_EQ(put(json, "").status, 200);
  const Response refused = put("PK\3\4", "");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("no tests in this package"), std::string::npos) << refused.body;
  packages_->stop();
  EXPECT_EQ(put(zip, "").status, 503);
}

TEST_F(Courts, TakeFilesInAForm) {
  start();
  const std::string form =
      "--XX\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n"
      R"({"language":"right","wait":true,)" +
      kProblem +
      "}\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"source\"; filename=\"d/a.c\"\r\n\r\nint "
      "x;\r\n"
      "--XX--\r\n";
  Client client = connect();
  EXPECT_EQ(client.ask("POST", "/v1/submissions", form, kFormField).status, 200);
  std::string unknown = form;
  unknown.replace(unknown.find("\"source\""), 8, "\"sauce\"");
  EXPECT_EQ(client.ask("POST", "/v1/submissions", unknown, kFormField).status, 400);
  EXPECT_EQ(client.ask("POST", "/v1/submissions", form.substr(0, 200), kFormField).status, 400);
}

TEST_F(Courts, AskForTheToken) {
  start({.auth_token = "secret"});
  Client client = connect();
  for (const auto& [method, path] : {std::pair{"POST", "/v1/submissions"},
                                     {"GET", "/v1/submissions/x"},
                                     {"DELETE", "/v1/submissions/x"},
                                     {"GET", "/v1/submissions/x/events"},
                                     {"GET", "/v1/languages"},
                                     {"GET", "/v1/problems"},
                                     {"PUT", "/v1/problems/x"},
                                     {"DELETE", "/v1/problems/x"}})
    EXPECT_EQ(client.ask(method, path).status, 401) << path;
  EXPECT_EQ(client.ask("GET", "/v1/languages", "", "Authorization: Bearer secret\r\n").body,
            R"([{"id":"c"}])");
}

TEST_F(Served, HaveNoCourtWithoutOne) {
  start();
  Client client = connect();
  EXPECT_EQ(client.ask("POST", "/v1/submissions", "{}").status, 404);
  EXPECT_EQ(client.ask("GET", "/v1/languages").status, 404);
}

// It was answered with 202, and an id that had just been forgotten.
TEST_F(Courts, WhoeverSaysNothingMoreWhileAnUnnamedOneIsJudgedIsToldThatItWasCancelled) {
  start();
  Client client = connect();
  const std::string body = submission("", "hold door", R"("wait":true,)");
  client.send("POST /v1/submissions HTTP/1.1\r\nHost: t\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  ASSERT_TRUE(judge_->await_started(1));
  client.half_close();
  const Response told = client.receive();
  EXPECT_EQ(told.status, 200);
  EXPECT_TRUE(told.body.contains("cancelled")) << told.body;
  EXPECT_EQ(told.field("Location"), "(none)");
  EXPECT_EQ(judgings_->snapshot().cancelled, 1U);
}

TEST_F(Courts, EveryStatusHasItsWords) {
  start();
  Client client = connect();
  const std::string problem = R"({"tests":[{"input":"a","answer":"b"}]})";
  EXPECT_TRUE(
      client.ask("PUT", "/v1/problems/p", problem).head.starts_with("HTTP/1.1 201 Created\r\n"));
  EXPECT_TRUE(client.ask("POST", "/v1/submissions", submission("s", "hold door"))
                  .head.starts_with("HTTP/1.1 202 Accepted\r\n"));
  EXPECT_TRUE(
      client.ask("DELETE", "/v1/problems/p").head.starts_with("HTTP/1.1 204 No Content\r\n"));
}

}  // namespace
}  // namespace assay::transport
