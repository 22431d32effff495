// What clients make the server keep, and where it ends.
#include "service/stored_contents.h"
#include "tests/service/fake_judge.h"
#include "tests/transport/fixture.h"
#include "transport/judging_doors.h"

namespace assay::transport {
namespace {

class HttpMemory : public Served {
 protected:
  ~HttpMemory() override { stop(); }

  void before_server(Options& options) override {
    contents_.emplace(*store_, nullptr);
    judgings_.emplace(std::make_unique<service::FakeJudge>(), *service_,
                      service::JudgingOptions{.at_once = 1}, nullptr);
    options.judging = std::make_shared<JudgingDoors>(JudgingDoors{
        .judgings = *judgings_,
        .problems = problems_,
        .contents = *contents_,
        .languages_json = [] { return std::string("[]"); },
    });
  }
  void after_server() override { judgings_.reset(); }

  service::Problems problems_;
  std::optional<service::StoredContents> contents_;
  std::optional<service::Judgings> judgings_;
};

std::string part(const std::string& name, const std::string& content) {
  return "--XX\r\nContent-Disposition: form-data; name=\"" + name + "\"; filename=\"f\"\r\n\r\n" +
         content + "\r\n";
}

const std::string kOrder =
    R"({"language":"right","wait":true,"problem":{"tests":[{"input":"a","answer":"b"}]}})";

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

}  // namespace
}  // namespace assay::transport
