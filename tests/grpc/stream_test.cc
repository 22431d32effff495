#include "tests/grpc/fixture.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;

class Stream : public GrpcTest {
 protected:
  using Call = grpc::ClientReaderWriter<pb::StreamRequest, pb::StreamResponse>;

  void open() { call_ = stub_->ExecStream(&context_); }
  bool start(std::vector<std::string> args) {
    pb::StreamRequest message;
    *message.mutable_execrequest() = order(std::move(args));
    message.mutable_execrequest()->set_requestid("s1");
    auto& cmd = *message.mutable_execrequest()->mutable_cmd(0);
    cmd.add_files()->mutable_streamin();
    cmd.add_files()->mutable_streamout();
    return call_->Write(message);
  }
  bool input(const std::string& text, unsigned fd = 0) {
    pb::StreamRequest message;
    message.mutable_execinput()->set_fd(fd);
    message.mutable_execinput()->set_content(text);
    return call_->Write(message);
  }
  bool cancel() {
    pb::StreamRequest message;
    message.mutable_execcancel();
    return call_->Write(message);
  }
  std::string output(std::size_t size) {  // so much of it
    std::string all;
    pb::StreamResponse message;
    while (all.size() < size && call_->Read(&message))
      all += message.execoutput().content();
    return all;
  }
  struct End {
    std::string output{};
    pb::Response response{};
    grpc::Status status{};
  };
  End rest() {
    End end;
    pb::StreamResponse message;
    while (call_->Read(&message)) {
      end.output += message.execoutput().content();
      if (message.has_execresponse()) end.response = message.execresponse();
    }
    end.status = call_->Finish();
    return end;
  }

  grpc::ClientContext context_;
  std::unique_ptr<Call> call_;
};

TEST_F(Stream, CarriesInputAndOutputAndEndsWithTheResults) {
  serve();
  open();
  ASSERT_TRUE(start({"cat"}));
  ASSERT_TRUE(input("hello "));
  EXPECT_EQ(output(6), "hello ");
  ASSERT_TRUE(input("world"));
  EXPECT_EQ(output(5), "world");
  call_->WritesDone();
  const auto end = rest();
  EXPECT_TRUE(end.status.ok()) << end.status.error_message();
  EXPECT_EQ(end.response.requestid(), "s1");
  ASSERT_EQ(end.response.results_size(), 1);
  EXPECT_EQ(end.response.results(0).status(), pb::Response::Result::Accepted);
}

TEST_F(Stream, TellsWhichDescriptorTheOutputIsOf) {
  serve();
  open();
  ASSERT_TRUE(start({"cat"}));
  ASSERT_TRUE(input("x"));
  pb::StreamResponse message;
  ASSERT_TRUE(call_->Read(&message));
  EXPECT_EQ(message.execoutput().index(), 0u);
  EXPECT_EQ(message.execoutput().fd(), 1u);
  call_->WritesDone();
  EXPECT_TRUE(rest().status.ok());
}

TEST_F(Stream, LosesNothingOfInputAndOutputFarLargerThanAnyBuffer) {
  serve();
  open();
  ASSERT_TRUE(start({"cat"}));
  std::string all;
  for (int i = 0; all.size() < (8 << 20); ++i)
    all += std::to_string(i) + "\n";
  std::thread writer([&] {
    for (std::size_t at = 0; at < all.size(); at += 100'000)
      ASSERT_TRUE(input(all.substr(at, 100'000)));
    call_->WritesDone();
  });
  const auto end = rest();
  writer.join();
  EXPECT_TRUE(end.status.ok()) << end.status.error_message();
  EXPECT_TRUE(end.output == all) << end.output.size() << " of " << all.size() << " bytes";
}

TEST_F(Stream, EndsAtACancelWithTheResultOfTheKilledProgram) {
  serve();
  open();
  ASSERT_TRUE(start({"cat"}));
  engine_->await_started(1);
  ASSERT_TRUE(cancel());
  const auto end = rest();
  EXPECT_TRUE(end.status.ok());
  ASSERT_EQ(end.response.results_size(), 1);
  EXPECT_EQ(end.response.results(0).status(), pb::Response::Result::Signalled);
}

TEST_F(Stream, HearsACancelBehindInputThatNobodyTakes) {
  serve();
  open();
  ASSERT_TRUE(start({"hold", "for ever"}));
  ASSERT_TRUE(input(std::string(512 << 10, 'x')));
  engine_->await_started(1);
  ASSERT_TRUE(cancel());
  EXPECT_EQ(rest().response.results(0).status(), pb::Response::Result::Signalled);
}

TEST_F(Stream, IsCancelledWhenTheClientGoes) {
  serve();
  open();
  ASSERT_TRUE(start({"cat"}));
  engine_->await_started(1);
  context_.TryCancel();
  EXPECT_EQ(rest().status.error_code(), StatusCode::CANCELLED);
  await_idle();
}

TEST_F(Stream, TellsAFailureOfOursInTheLastMessage) {
  serve();
  open();
  ASSERT_TRUE(start({"missing"}));
  const auto end = rest();
  EXPECT_TRUE(end.status.ok());
  EXPECT_EQ(end.response.requestid(), "s1");
  EXPECT_EQ(end.response.error(), "file does not exists with id: \"XXXX\"");
  EXPECT_EQ(end.response.results_size(), 0);
}

struct Wrong {
  const char* name;
  std::function<void(pb::StreamRequest&)> message;
  bool first;  // in place of the request
  const char* reason;
};

class WrongStream : public Stream, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongStream, GivesInvalidArgumentAndTheReason) {
  serve();
  open();
  if (!GetParam().first) {
    ASSERT_TRUE(start({"cat"}));
  }
  pb::StreamRequest message;
  GetParam().message(message);
  ASSERT_TRUE(call_->Write(message));
  const auto end = rest();
  EXPECT_EQ(end.status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(end.status.error_message(), GetParam().reason);
  await_idle();
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongStream,
    testing::Values(
        Wrong{"InputFirst", [](auto& m) { m.mutable_execinput(); }, true,
              "the first message of a stream must be an execRequest"},
        Wrong{"Nothing", [](auto&) {}, false,
              "a message of the stream has no request that this server knows"},
        Wrong{"NoCommand", [](auto& m) { m.mutable_execrequest(); }, true, "no cmd provided"},
        Wrong{"SecondRequest", [](auto& m) { m.mutable_execrequest()->add_cmd(); }, false,
              "a stream runs one execRequest only"},
        Wrong{"InputToAnOutput", [](auto& m) { m.mutable_execinput()->set_fd(1); }, false,
              "execInput: no streamIn at index 0, fd 1"},
        Wrong{"InputToNobody", [](auto& m) { m.mutable_execinput()->set_index(4000000000u); },
              false, "execInput: no streamIn at index 4000000000, fd 0"},
        Wrong{"ResizeWithoutTerminal", [](auto& m) { m.mutable_execresize(); }, false,
              "execResize: the command at index 0 has no tty"}),
    [](const auto& tested) { return tested.param.name; });

TEST_F(Stream, ThatEndsBeforeARequestIsRefused) {
  serve();
  open();
  call_->WritesDone();
  const auto status = rest().status;
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(status.error_message(), "the stream ended before an execRequest");
}

TEST_F(Stream, WantsTheTokenWhenThereIsOne) {
  serve({.auth_token = "secret"});
  open();
  EXPECT_EQ(rest().status.error_code(), StatusCode::UNAUTHENTICATED);
}

}  // namespace
}  // namespace assay::transport::module
