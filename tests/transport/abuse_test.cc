// Strangers at the doors, and requests whose numbers are none.
#include "service/stored_contents.h"
#include "tests/service/fake_judge.h"
#include "tests/transport/fixture.h"
#include "transport/judging_doors.h"

namespace assay::transport {
namespace {

using Strings = std::vector<std::string>;
using Requests = std::vector<std::pair<std::string, std::string>>;

const std::string kRight = "Authorization: Bearer s3cret\r\n";
const std::string kProblem = R"({"tests":[{"input":"a","answer":"b"}]})";

class HttpAbuse : public Served {
 protected:
  ~HttpAbuse() override { stop(); }

  void before_server(Options& options) override {
    auto judge = std::make_unique<service::FakeJudge>();
    judge_ = judge.get();
    contents_.emplace(*store_, nullptr);
    judgings_.emplace(std::move(judge), *service_,
                      service::JudgingOptions{.at_once = 1, .queue_limit = 2}, nullptr);
    options.judging = std::make_shared<JudgingDoors>(JudgingDoors{
        .judgings = *judgings_,
        .problems = problems_,
        .contents = *contents_,
        .languages_json = [] { return std::string("[]"); },
    });
  }
  void after_server() override { judgings_.reset(); }

  // A file, a problem and a submission of somebody who has the token.
  std::string fill() {
    Client client = connect();
    const std::string form = form_of("file", "kept", "content");
    const Response added = client.ask("POST", "/file", form, kFormField + kRight);
    EXPECT_EQ(added.status, 200);
    EXPECT_EQ(client.ask("PUT", "/v1/problems/p", kProblem, kRight).status, 201);
    const std::string submission =
        R"({"submissionId":"s","language":"right","source":"x","problemId":"p","wait":true})";
    EXPECT_EQ(client.ask("POST", "/v1/submissions", submission, kRight).status, 200);
    return added.body.substr(1, added.body.size() - 2);
  }
  void expect_refused(const std::string& door, const std::string& place, const std::string& body) {
    const Response response = connect().ask("POST", door, body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_TRUE(response.body.contains(place + ": ")) << body << ": " << response.body;
  }

  service::FakeJudge* judge_ = nullptr;
  service::Problems problems_;
  std::optional<service::StoredContents> contents_;
  std::optional<service::Judgings> judgings_;
};

// Of what is there and what is not alike: a stranger does not learn which.
Requests requests_about(const std::string& file) {
  Requests all = {{"GET", "/file"},
                  {"POST", "/file"},
                  {"POST", "/run"},
                  {"GET", "/v1/languages"},
                  {"GET", "/v1/processes"},
                  {"POST", "/v1/processes"},
                  {"GET", "/v1/problems"},
                  {"GET", "/v1/submissions"},
                  {"POST", "/v1/submissions"},
                  {"PUT", "/v1/problems/p"},
                  {"GET", "/v1/submissions/s/events"}};
  for (const char* method : {"GET", "HEAD", "DELETE"})
    for (const std::string& path :
         {"/file/" + file, std::string("/file/AAAAAAAAAAAAAAAA"), std::string("/v1/submissions/s"),
          std::string("/v1/submissions/none"), std::string("/v1/problems/p"),
          std::string("/v1/problems/none"), std::string("/v1/processes/none")})
      all.emplace_back(method, path);
  return all;
}

TEST_F(HttpAbuse, RefusesWithoutTheTokenAndSaysNothing) {
  start({.auth_token = "s3cret"});
  const std::string file = fill();
  Client client = connect();
  for (const std::string credentials :
       {"", "Authorization: Bearer wrong\r\n", "Authorization: Basic czNjcmV0\r\n",
        "Cookie: token=s3cret\r\n", "X-Auth-Token: s3cret\r\n"})
    for (const auto& [method, path] : requests_about(file)) {
      const Response response = client.ask(method, path, "", credentials);
      EXPECT_EQ(response.status, 401) << method << " " << path << " " << credentials;
      EXPECT_EQ(response.body, "") << method << " " << path;
    }
}

TEST_F(HttpAbuse, RefusesWithoutTheTokenAndChangesNothing) {
  start({.auth_token = "s3cret"});
  const std::string file = fill();
  Client client = connect();
  for (const auto& [method, path] : requests_about(file))
    (void)client.ask(method, path + "?token=s3cret");
  EXPECT_EQ(client.ask("GET", "/file/" + file, "", kRight).body, "content");
  EXPECT_TRUE(client.ask("GET", "/file", "", kRight).body.contains(file));
  EXPECT_EQ(client.ask("GET", "/v1/problems/p", "", kRight).status, 200);
  EXPECT_EQ(client.ask("GET", "/v1/submissions/s", "", kRight).status, 200);
  EXPECT_EQ(judge_->started().size(), 1U);  // that of fill()
  EXPECT_TRUE(engine_->started().empty());
}

TEST_F(HttpAbuse, RefusesIdsThatAreGuessedOrLeadElsewhere) {
  start({.auth_token = "s3cret"});
  const std::string file = fill();
  const Strings ids = {"AAAAAAAAAAAAAAAA",
                       file.substr(0, 15),
                       file + "A",
                       "../x",
                       "..%2fx",
                       "%2e%2e/",
                       "%2e%2e/%2e%2e/etc/passwd",
                       "%2E%2E%5Cx",
                       "%252e%252e%252fx",
                       "%2fetc%2fpasswd",
                       "/etc/passwd",
                       "..%00" + file,
                       file + "%00",
                       file + "/../" + file,
                       "*",
                       ".",
                       "~root",
                       std::string(4000, 'A')};
  Client client = connect();
  for (const std::string& id : ids)
    for (const std::string place : {"/file/", "/v1/submissions/", "/v1/problems/"})
      for (const char* method : {"GET", "DELETE"}) {
        const Response response = client.ask(method, place + id, "", kRight);
        EXPECT_TRUE(response.status == 404 || response.status == 400)
            << method << " " << place << id << ": " << response.status;
        EXPECT_FALSE(response.body.contains("root:")) << id;
      }
  EXPECT_EQ(client.ask("GET", "/file/" + file, "", kRight).body, "content");
}

// The JSON of what is no limit: too small, too large, not whole, no number at all.
const Strings kNoLimits = {"-1",
                           "-9223372036854775808",
                           "-9223372036854775809",
                           "18446744073709551616",
                           "99999999999999999999999999999999",
                           "1e300",
                           "-1e300",
                           "1e3",
                           "1.5",
                           "0.1e-400",
                           "NaN",
                           "nan",
                           "Infinity",
                           "-Infinity",
                           "\"1\"",
                           "\"NaN\"",
                           "\"\"",
                           "true",
                           "[1]",
                           "{}"};

TEST_F(HttpAbuse, RefusesLimitsOfARunThatAreNone) {
  start();
  for (const std::string field :
       {"cpuLimit", "realCpuLimit", "clockLimit", "idleLimit", "memoryLimit", "stackLimit",
        "outputLimit", "procLimit", "cpuRateLimit", "copyOutMax"})
    for (const std::string& value : kNoLimits)
      expect_refused("/run", "$.cmd[0]." + field,
                     R"({"cmd":[{"args":["echo","x"],")" + field + "\":" + value + "}]}");
  for (const std::string value : {"-1", "9223372036854775808", "1e300", "NaN"})
    expect_refused(
        "/run", "$.cmd[0].files[0].max",
        R"({"cmd":[{"args":["echo","x"],"files":[{"name":"stdout","max":)" + value + "}]}]}");
  EXPECT_TRUE(engine_->started().empty());
}

TEST_F(HttpAbuse, RefusesLimitsOfASubmissionThatAreNone) {
  start();
  Strings values = kNoLimits;
  values.insert(values.end(), {"9223372036854775807", "9223372036854775808"});
  const std::string begin = R"({"language":"right","source":"x","wait":true,)";
  for (const std::string field : {"cpuTimeMs", "wallTimeMs", "idleTimeMs", "memoryMB", "stackMB",
                                  "outputMB", "processes", "pids"})
    for (const std::string& value : values) {
      const std::string limits = R"("limits":{")" + field + "\":" + value + "}";
      expect_refused("/v1/submissions", "$.limits." + field,
                     begin + limits + R"(,"problem":)" + kProblem + "}");
      expect_refused(
          "/v1/submissions", "$.problem.limits." + field,
          begin + R"("problem":{)" + limits + R"(,"tests":[{"input":"","answer":""}]}})");
      expect_refused("/v1/submissions", "$.problem.tests[0].limits." + field,
                     begin + R"("problem":{"tests":[{"input":"","answer":"",)" + limits + "}]}}");
    }
  EXPECT_TRUE(judge_->started().empty());
}

}  // namespace
}  // namespace assay::transport
