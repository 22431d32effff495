// Who is let in, and when the service is there at all.
#include <grpcpp/generic/generic_stub.h>

#include <future>
#include <thread>

#include "tests/grpc/fixture_judging.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;
using State = v1::JudgingState;

class JudgingDoor : public JudgingTest {};

TEST_F(JudgingDoor, EveryMethodWantsTheToken) {
  serve_judging({.auth_token = "secret"});
  State state;
  v1::PutProblemReply reply;
  v1::ProblemInfo info;
  v1::ProblemList problems;
  v1::LanguageList languages;
  v1::JudgingEvent event;
  google::protobuf::Empty empty;
  grpc::ClientContext one, two, three, four, five, six;
  EXPECT_EQ(submit(request("right"), &state).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(get("x", &state).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(cancel("x").error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(judging_->PutProblem(&four, {}, &reply).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(judging_->GetProblem(&five, {}, &info).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(judging_->DeleteProblem(&six, {}, &empty).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(judging_->ListProblems(&one, {}, &problems).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(judging_->ListLanguages(&two, {}, &languages).error_code(),
            StatusCode::UNAUTHENTICATED);
  const auto watch = judging_->Watch(&three, {});
  EXPECT_FALSE(watch->Read(&event));
  EXPECT_EQ(watch->Finish().error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(judge_->started().empty());
  grpc::ClientContext known;
  known.AddMetadata("authorization", "Bearer secret");
  EXPECT_TRUE(judging_->Submit(&known, request("right"), &state).ok());
}

TEST_F(JudgingDoor, TheServiceIsNotThereWhenNothingIsJudged) {
  serve();
  judging_ = v1::Judging::NewStub(channel());
  State state;
  EXPECT_EQ(get("x", &state).error_code(), StatusCode::UNIMPLEMENTED);
}

TEST_F(JudgingDoor, HealthKnowsTheService) {
  serve_judging();
  grpc::GenericStub health(channel());
  const std::string message = std::string("\x0a\x10") + "assay.v1.Judging";
  const grpc::Slice slice(message);
  const grpc::ByteBuffer asked(&slice, 1);
  grpc::ByteBuffer told;
  grpc::ClientContext context;
  std::promise<grpc::Status> done;
  health.UnaryCall(&context, "/grpc.health.v1.Health/Check", {}, &asked, &told,
                   [&](const grpc::Status& status) { done.set_value(status); });
  ASSERT_TRUE(done.get_future().get().ok());
  grpc::Slice whole;
  ASSERT_TRUE(told.DumpToSingleSlice(&whole).ok());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(whole.begin()), whole.size()), "\x08\x01");
}

TEST_F(JudgingDoor, CallsThatWaitEndWhenTheServerStops) {
  serve_judging();
  auto order = request("hold for ever");
  order.set_wait(true);
  order.set_submission_id("held");
  std::thread client([&] {
    State state;
    EXPECT_FALSE(submit(order, &state).ok());
  });
  ASSERT_TRUE(judge_->await_started(1));
  server_->stop(std::chrono::milliseconds(1));
  client.join();
}

}  // namespace
}  // namespace assay::transport::module
