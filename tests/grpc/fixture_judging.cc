#include "tests/grpc/fixture_judging.h"

#include "transport/grpc_module/judging_convert.h"

namespace assay::transport::module {

JudgingTest::JudgingTest() {
  auto judge = std::make_unique<service::FakeJudge>();
  judge_ = judge.get();
  judgings_ = std::make_unique<service::Judgings>(
      std::move(judge), *service_, service::JudgingOptions{.at_once = 2, .queue_limit = 4},
      service::JudgingObserver{});
  contents_ = std::make_unique<service::StoredContents>(*store_, nullptr);
  doors_ = std::make_shared<JudgingDoors>(JudgingDoors{
      .judgings = *judgings_, .problems = problems_, .contents = *contents_, .languages = [] {
        return std::vector<judge::Language>{{.id = "cpp",
                                             .name = "C++",
                                             .aliases = {"c++"},
                                             .extensions = {"cpp", "cc"},
                                             .source = "main.cpp",
                                             .output = "main",
                                             .compile = {judge::Step{}}}};
      }});
}

JudgingTest::~JudgingTest() {
  judging_.reset();
  stub_.reset();
  server_.reset();
  judgings_.reset();
}

void JudgingTest::serve_judging(GrpcOptions options) {
  options.judging = doors_;
  serve(std::move(options));
  judging_ = v1::Judging::NewStub(channel());
}

v1::Problem JudgingTest::problem(int tests) {
  v1::Problem made;
  for (int i = 0; i < tests; ++i) {
    v1::Test& test = *made.add_tests();
    test.mutable_input()->set_content("in");
    test.mutable_answer()->set_content("out");
  }
  return made;
}

v1::SubmitRequest JudgingTest::request(const std::string& language, int tests) {
  v1::SubmitRequest made;
  made.set_language(language);
  made.add_sources()->mutable_from()->set_content("int main() {}");
  *made.mutable_problem() = problem(tests);
  return made;
}

grpc::Status JudgingTest::submit(const v1::SubmitRequest& request, v1::JudgingState* state) {
  grpc::ClientContext context;
  return judging_->Submit(&context, request, state);
}

grpc::Status JudgingTest::get(const std::string& id, v1::JudgingState* state) {
  grpc::ClientContext context;
  v1::SubmissionRef named;
  named.set_submission_id(id);
  return judging_->Get(&context, named, state);
}

grpc::Status JudgingTest::cancel(const std::string& id) {
  grpc::ClientContext context;
  v1::SubmissionRef named;
  named.set_submission_id(id);
  google::protobuf::Empty empty;
  return judging_->Cancel(&context, named, &empty);
}

void JudgingTest::await_open(std::uint64_t count) {
  for (;;) {
    const service::JudgingSnapshot now = judgings_->snapshot();
    if (now.queued + now.running == count) return;
    std::this_thread::yield();
  }
}

Result<service::JudgeOrder> JudgingTest::order_of(const v1::SubmitRequest& message) {
  service::Supply supply(*contents_);
  return to_order(message, supply);
}

}  // namespace assay::transport::module
