#include <algorithm>
#include <thread>

#include "tests/grpc/fixture.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;

class Exec : public GrpcTest {};
class Files : public GrpcTest {
 protected:
  grpc::Status add(const std::string& name, const std::string& content, pb::FileID* id) {
    grpc::ClientContext context;
    pb::FileContent file;
    file.set_name(name);
    file.set_content(content);
    return stub_->FileAdd(&context, file, id);
  }
  grpc::Status get(const pb::FileID& id, pb::FileContent* file) {
    grpc::ClientContext context;
    return stub_->FileGet(&context, id, file);
  }
  grpc::Status remove(const pb::FileID& id) {
    grpc::ClientContext context;
    google::protobuf::Empty nothing;
    return stub_->FileDelete(&context, id, &nothing);
  }
  pb::FileListType list() {
    grpc::ClientContext context;
    pb::FileListType files;
    EXPECT_TRUE(stub_->FileList(&context, {}, &files).ok());
    return files;
  }
};

TEST_F(Exec, AnswersOneResultPerCommandAndTheRequestId) {
  serve();
  auto request = order({"echo", "first"});
  auto& second = *request.add_cmd();
  second.add_args("echo");
  second.add_args("second");
  request.set_requestid("r7");
  pb::Response response;
  ASSERT_TRUE(exec(request, &response).ok());
  EXPECT_EQ(response.requestid(), "r7");
  ASSERT_EQ(response.results_size(), 2);
  EXPECT_EQ(response.results(0).status(), pb::Response::Result::Accepted);
  EXPECT_EQ(response.results(0).files().at("stdout"), "first");
  EXPECT_EQ(response.results(1).files().at("stdout"), "second");
  EXPECT_EQ(response.error(), "");
}

TEST_F(Exec, SaysInvalidArgumentForARequestWithoutCommands) {
  serve();
  pb::Response response;
  const auto status = exec({}, &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "no cmd provided");
}

TEST_F(Exec, SaysInvalidArgumentForWhatTheEngineRefuses) {
  serve();
  pb::Response response;
  const auto status = exec(order({"bad"}), &response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "bad request of a test");
}

TEST_F(Exec, SaysInternalForAnUnknownFileAndForAFailureOfOurs) {
  serve();
  pb::Response response;
  auto status = exec(order({"missing"}), &response);
  EXPECT_EQ(status.error_code(), StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), "file does not exists with id: \"XXXX\"");
  status = exec(order({"broken"}), &response);
  EXPECT_EQ(status.error_code(), StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), "the engine broke");
}

TEST_F(Exec, SaysInternalWhenTheServiceTakesNothingMore) {
  serve();
  service_->drain(std::chrono::milliseconds(0));
  pb::Response response;
  const auto status = exec(order({"echo", "x"}), &response);
  EXPECT_EQ(status.error_code(), StatusCode::INTERNAL);
  EXPECT_EQ(status.error_message(), service::kShuttingDown);
}

TEST_F(Exec, IsCancelledWhenTheClientGoes) {
  serve();
  grpc::ClientContext context;
  std::thread client([&] {
    pb::Response response;
    EXPECT_EQ(stub_->Exec(&context, order({"hold", "for ever"}), &response).error_code(),
              StatusCode::CANCELLED);
  });
  engine_->await_started(1);
  context.TryCancel();
  client.join();
  await_idle();
}

TEST_F(Exec, IsCancelledWhenTheDeadlineOfTheClientPasses) {
  serve();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
  pb::Response response;
  EXPECT_EQ(stub_->Exec(&context, order({"hold", "for ever"}), &response).error_code(),
            StatusCode::DEADLINE_EXCEEDED);
  await_idle();
}

TEST_F(Exec, ServesManyCallsOfOneConnectionAtOnce) {
  serve();
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int i = 0; i < 16; ++i)
    clients.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const auto text = std::to_string(i) + "/" + std::to_string(round);
        pb::Response response;
        if (exec(order({"echo", text}), &response).ok() &&
            response.results(0).files().at("stdout") == text)
          ++right;
      }
    });
  for (auto& client : clients)
    client.join();
  EXPECT_EQ(right, 16 * 20);
}

TEST_F(Exec, SaysResourceExhaustedForAMessageOverTheLimit) {
  serve({.message_size = 64_KiB});
  auto request = order({"echo", "x"});
  request.mutable_cmd(0)->add_env(std::string(65 << 10, 'x'));
  pb::Response response;
  EXPECT_EQ(exec(request, &response).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(exec(order({"echo", "x"}), &response).ok());
}

TEST_F(Exec, DoesNotTakeCompressedMessages) {
  serve();
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  auto request = order({"echo", "x"});
  request.mutable_cmd(0)->add_env(std::string(4096, 'x'));
  pb::Response response;
  EXPECT_EQ(stub_->Exec(&context, request, &response).error_code(), StatusCode::UNIMPLEMENTED);
}

TEST_F(Exec, RefusesTextThatIsNotUtf8) {
  serve();
  auto request = order({"echo", "\xff\xfe"});
  pb::Response response;
  EXPECT_FALSE(exec(request, &response).ok());
  EXPECT_TRUE(exec(order({"echo", "x"}), &response).ok());
}

TEST_F(Exec, WantsTheTokenWhenThereIsOne) {
  serve({.auth_token = "secret"});
  const auto with = [&](const std::string& authorization) {
    grpc::ClientContext context;
    if (!authorization.empty()) context.AddMetadata("authorization", authorization);
    pb::Response response;
    return stub_->Exec(&context, order({"echo", "x"}), &response).error_code();
  };
  EXPECT_EQ(with(""), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(with("bearer wrong"), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(with("secret"), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(with("bearer secret"), StatusCode::OK);
  EXPECT_EQ(with("BEARER secret"), StatusCode::OK);
}

TEST_F(Files, AreKeptByteForByteUnderAnIdUntilTheyAreDeleted) {
  serve();
  const std::string content("a\0b\xff", 4);
  pb::FileID id;
  ASSERT_TRUE(add("näme.bin", content, &id).ok());
  EXPECT_GE(id.fileid().size(), 8u);
  EXPECT_EQ(list().fileids().at(id.fileid()), "näme.bin");
  pb::FileContent file;
  ASSERT_TRUE(get(id, &file).ok());
  EXPECT_EQ(file.name(), "näme.bin");
  EXPECT_EQ(file.content(), content);
  EXPECT_TRUE(remove(id).ok());
  EXPECT_TRUE(list().fileids().empty());
  EXPECT_EQ(get(id, &file).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(remove(id).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(Files, ThatAreEmptyAreFilesToo) {
  serve();
  pb::FileID id;
  ASSERT_TRUE(add("", "", &id).ok());
  pb::FileContent file;
  ASSERT_TRUE(get(id, &file).ok());
  EXPECT_EQ(file.content(), "");
}

TEST_F(Files, WithNamesThatAreNotUtf8CanStillBeListed) {
  serve();
  const auto id = store_->add("caf\xe9", "x");
  ASSERT_TRUE(id);
  EXPECT_EQ(list().fileids().at(*id), "caf\xEF\xBF\xBD");
}

TEST_F(Files, LargerThanAMessageGiveAClearStatus) {
  serve({.message_size = 64_KiB});
  const auto kept = store_->add("big", std::string((64 << 10) + 1, 'x'));
  ASSERT_TRUE(kept);
  pb::FileID id;
  id.set_fileid(*kept);
  pb::FileContent file;
  const auto status = get(id, &file);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(status.error_message().find("65537 bytes"), std::string::npos)
      << status.error_message();
}

TEST_F(Files, AreForThoseWithTheTokenOnly) {
  serve({.auth_token = "secret"});
  pb::FileID id;
  pb::FileContent file;
  EXPECT_EQ(add("a", "b", &id).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(get(id, &file).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(remove(id).error_code(), StatusCode::UNAUTHENTICATED);
  grpc::ClientContext context;
  pb::FileListType files;
  EXPECT_EQ(stub_->FileList(&context, {}, &files).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(store_->list().empty());
}

}  // namespace
}  // namespace assay::transport::module
