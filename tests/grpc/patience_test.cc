// Clients that let us wait: with an answer, or for a request.
#include <atomic>
#include <filesystem>

#include "tests/grpc/fixture_bounds.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;
using Call = grpc::ClientReaderWriter<pb::StreamRequest, pb::StreamResponse>;

constexpr Rules kHasty{.patience = std::chrono::milliseconds(200)};

class Patience : public BoundsTest {
 protected:
  static grpc::Status end_of(Call& call) {
    pb::StreamResponse message;
    while (call.Read(&message)) {
    }
    return call.Finish();
  }
  static std::ptrdiff_t descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  }
};

TEST_F(Patience, EndsWithAnAnswerThatNobodyTakes) {
  serve({}, kHasty);
  RawClient client(server_->port());
  client.call("/pb.Executor/FileGet", keep(100));
  client.call("/pb.Executor/FileList", google::protobuf::Empty());
  client.call("/pb.Executor/Exec", order({"echo", "x"}));
  pb::StreamRequest message;
  *message.mutable_execrequest() = order({"echo", "x"});
  client.call("/pb.Executor/ExecStream", message);
  const std::map<int, int> given_up{{StatusCode::DEADLINE_EXCEEDED, 4}};
  EXPECT_EQ(client.statuses(4), given_up);
}

TEST_F(Patience, GivesBackWhatAnAnswerThatNobodyTookHadOfTheBudget) {
  serve({.message_size = 1_MiB, .buffered = 5_MiB}, kHasty);
  const pb::FileID large = keep(1 << 20);
  RawClient client(server_->port());  // which stays
  for (int i = 0; i < 20; ++i)
    client.call("/pb.Executor/FileGet", large);
  EXPECT_GE(client.statuses(20)[StatusCode::DEADLINE_EXCEEDED], 4);
  await(StatusCode::OK, [&] { return get(large); });
}

TEST_F(Patience, EndsWithAStreamThatHasNoRequest) {
  serve({}, kHasty);
  grpc::ClientContext context;
  const auto call = stub_->ExecStream(&context);
  const auto status = end_of(*call);
  EXPECT_EQ(status.error_code(), StatusCode::DEADLINE_EXCEEDED);
  EXPECT_EQ(status.error_message(), "no execRequest came in time");
}

TEST_F(Patience, IsNotAskedForByAStreamThatRuns) {
  serve({}, {.patience = std::chrono::seconds(2)});
  grpc::ClientContext running, silent;
  const auto call = stub_->ExecStream(&running);
  pb::StreamRequest message;
  *message.mutable_execrequest() = order({"hold", "it"});
  ASSERT_TRUE(call->Write(message));
  ASSERT_TRUE(engine_->await_started(1));
  const auto later = stub_->ExecStream(&silent);  // when its time is over, so would be the other's
  EXPECT_EQ(end_of(*later).error_code(), StatusCode::DEADLINE_EXCEEDED);
  engine_->release("it");
  EXPECT_TRUE(end_of(*call).ok());
}

// Each had a timer of its own: a thousand descriptors for every connection.
TEST_F(Patience, CostsNoDescriptorPerStream) {
  constexpr int kStreams = 100;
  std::atomic<int> begun = 0;
  serve({.observer = [&](const RpcEvent& event) {
    if (event.kind == RpcEvent::Kind::Started && event.method == "ExecStream") ++begun;
  }});
  EXPECT_EQ(echo(1), StatusCode::OK);
  const auto before = descriptors();
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i < kStreams; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    calls.push_back(stub_->ExecStream(contexts.back().get()));
  }
  while (begun < kStreams)  // the test's time limit is the judge of this
    std::this_thread::yield();
  pb::StreamRequest message;
  *message.mutable_execrequest() = order({"echo", "x"});
  ASSERT_TRUE(calls.back()->Write(message));
  EXPECT_TRUE(end_of(*calls.back()).ok());  // the others' beginnings were before it
  EXPECT_LT(descriptors(), before + kStreams / 2);
  for (auto& context : contexts)
    context->TryCancel();
  calls.pop_back();
  for (auto& call : calls)
    EXPECT_EQ(end_of(*call).error_code(), StatusCode::CANCELLED);
}

}  // namespace
}  // namespace assay::transport::module
