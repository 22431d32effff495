// assay.v1.Judging over a judge that judges nothing, and a client.
#pragma once

#include "assay.grpc.pb.h"
#include "service/problems.h"
#include "service/stored_contents.h"
#include "tests/grpc/fixture.h"
#include "tests/service/fake_judge.h"
#include "transport/judging_doors.h"

namespace assay::transport::module {

namespace v1 = ::assay::v1;

class JudgingTest : public GrpcTest {
 protected:
  JudgingTest();
  ~JudgingTest() override;

  void serve_judging(GrpcOptions options = {});
  // One test per output asked for; the language says how the fake judge behaves.
  static v1::SubmitRequest request(const std::string& language, int tests = 2);
  static v1::Problem problem(int tests);
  Result<service::JudgeOrder> order_of(const v1::SubmitRequest& message);

  grpc::Status submit(const v1::SubmitRequest& request, v1::JudgingState* state);
  grpc::Status get(const std::string& id, v1::JudgingState* state);
  grpc::Status cancel(const std::string& id);
  void await_open(std::uint64_t count);  // so many judgings wait or run

  service::FakeJudge* judge_ = nullptr;  // of judgings_
  std::unique_ptr<service::Judgings> judgings_;
  service::Problems problems_;
  std::unique_ptr<service::StoredContents> contents_;
  std::shared_ptr<JudgingDoors> doors_;
  std::unique_ptr<v1::Judging::Stub> judging_;
};

}  // namespace assay::transport::module
