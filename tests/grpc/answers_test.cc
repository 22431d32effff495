// Answers that nobody takes: a client with a window of 0 has us keep them all.
#include "tests/grpc/fixture_bounds.h"

namespace assay::transport::module {
namespace {

using grpc::StatusCode;

constexpr std::size_t kLarge = 900 << 10;

class Answers : public BoundsTest {
 protected:
  // With room for four messages of kLarge beside the last eighth.
  void serve_little() { serve({.message_size = 1_MiB, .buffered = 5_MiB}); }

  // Until there is no room for a run, and stays none: who asks at the same moment as we do may be
  // refused instead of us, and then has nothing.
  template <typename Ask>
  void fill(Ask ask) {
    for (int refused = 0; refused < 20; std::this_thread::yield()) {
      refused = echo(kLarge) == StatusCode::RESOURCE_EXHAUSTED ? refused + 1 : 0;
      if (refused == 0) ask();
    }
  }
};

// 25 streams that asked for one file of 60 MiB took 1.5 GiB.
TEST_F(Answers, FilesThatNobodyTakesFillTheBudgetAndNotTheMachine) {
  serve_little();
  const pb::FileID large = keep(kLarge), small = keep(1 << 10);
  {
    RawClient client(server_->port());
    for (int i = 0; i < 20; ++i)
      client.call("/pb.Executor/FileGet", large);
    const std::map<int, int> refused{{StatusCode::RESOURCE_EXHAUSTED, 16}};
    EXPECT_EQ(client.statuses(16), refused);
    EXPECT_EQ(get(large), StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_EQ(get(small), StatusCode::OK);  // of the last eighth
    EXPECT_EQ(echo(1 << 10), StatusCode::OK);
  }
  await(StatusCode::OK, [&] { return get(large); });
}

TEST_F(Answers, OfRunsAreCountedUntilTheyAreTaken) {
  serve_little();
  {
    RawClient client(server_->port());
    const auto request = order({"echo", std::string(kLarge, 'x')});
    fill([&] { client.call("/pb.Executor/Exec", request); });
  }
  await(StatusCode::OK, [&] { return echo(kLarge); });
}

TEST_F(Answers, OfStreamsAreCountedUntilTheyAreTaken) {
  serve_little();
  {
    RawClient client(server_->port());
    pb::StreamRequest message;
    *message.mutable_execrequest() = order({"echo", std::string(kLarge, 'x')});
    fill([&] { client.call("/pb.Executor/ExecStream", message); });
  }
  await(StatusCode::OK, [&] { return echo(kLarge); });
}

// Until a request has room and its answer has not.
TEST_F(Answers, ForWhichThereIsNoRoomLeaveNoFilesThatNobodyKnows) {
  serve_little();
  const pb::FileID large = keep(kLarge);
  auto client = std::make_unique<RawClient>(server_->port());
  while (true) {  // the test's time limit is the judge of this
    const std::string kept = keep(10).fileid();
    const std::size_t runs = engine_->started().size();
    pb::Response response;
    const auto end = exec(order({"echo", std::string(kLarge, 'x'), kept}), &response).error_code();
    if (end == StatusCode::OK) {
      client->call("/pb.Executor/FileGet", large);
    } else if (engine_->started().size() == runs) {
      client = std::make_unique<RawClient>(server_->port());  // too little room: from the start
    } else {
      EXPECT_EQ(end, StatusCode::RESOURCE_EXHAUSTED);
      for (const store::Listed& file : store_->list())
        EXPECT_NE(file.id, kept);
      return;
    }
  }
}

// A request lives as long as its call, however small the answer is that the client does not take.
TEST_F(Answers, ThatAreNotTakenKeepTheirRequestsCounted) {
  serve_little();
  {
    RawClient client(server_->port());
    pb::FileContent file;
    file.set_content(std::string(kLarge, 'x'));
    for (int i = 0; i < 5; ++i)
      client.call("/pb.Executor/FileAdd", file);
    const std::map<int, int> refused{{StatusCode::RESOURCE_EXHAUSTED, 1}};
    EXPECT_EQ(client.statuses(1), refused);
    while (store_->list().size() < 4)  // the test's time limit is the judge of this
      std::this_thread::yield();
  }
  await(StatusCode::OK, [&] { return echo(kLarge); });
}

}  // namespace
}  // namespace assay::transport::module
