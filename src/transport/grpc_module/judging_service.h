// assay.v1.Judging: each method decodes, asks the house, and encodes. No thread of gRPC ever waits
// for a judging or a package.
#pragma once

#include <memory>
#include <string>

#include "assay.grpc.pb.h"
#include "transport/grpc_module/delivery.h"
#include "transport/grpc_module/loop.h"
#include "transport/judging_doors.h"

namespace assay::transport::module {

namespace v1 = ::assay::v1;

class JudgingService final : public v1::Judging::CallbackService {
 public:
  JudgingService(std::shared_ptr<JudgingDoors> doors, std::unique_ptr<Loop> loop,
                 Deadlines& deadlines, std::string auth_token, Bytes buffered);

  grpc::ServerUnaryReactor* Submit(grpc::CallbackServerContext* context,
                                   const v1::SubmitRequest* request,
                                   v1::JudgingState* response) override;
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext* context,
                                const v1::SubmissionRef* request,
                                v1::JudgingState* response) override;
  grpc::ServerUnaryReactor* Cancel(grpc::CallbackServerContext* context,
                                   const v1::SubmissionRef* request,
                                   google::protobuf::Empty* response) override;
  grpc::ServerWriteReactor<v1::JudgingEvent>* Watch(grpc::CallbackServerContext* context,
                                                    const v1::WatchRequest* request) override;
  grpc::ServerUnaryReactor* ListLanguages(grpc::CallbackServerContext* context,
                                          const google::protobuf::Empty* request,
                                          v1::LanguageList* response) override;
  grpc::ServerUnaryReactor* PutProblem(grpc::CallbackServerContext* context,
                                       const v1::PutProblemRequest* request,
                                       v1::PutProblemReply* response) override;
  grpc::ServerUnaryReactor* GetProblem(grpc::CallbackServerContext* context,
                                       const v1::ProblemRef* request,
                                       v1::ProblemInfo* response) override;
  grpc::ServerUnaryReactor* DeleteProblem(grpc::CallbackServerContext* context,
                                          const v1::ProblemRef* request,
                                          google::protobuf::Empty* response) override;
  grpc::ServerUnaryReactor* ListProblems(grpc::CallbackServerContext* context,
                                         const google::protobuf::Empty* request,
                                         v1::ProblemList* response) override;

 private:
  Result<service::Judgings::Taken> take(const v1::SubmitRequest& request, Budget::Share& share);
  Status put(const v1::PutProblemRequest& request, v1::PutProblemReply& reply,
             Budget::Share& share);
  Status keep(const std::string& id, judge::Problem problem, std::string digest,
              v1::PutProblemReply& reply);
  // Answers later, on the thread that unpacks.
  Status load_package(const v1::PutProblemRequest& request, v1::PutProblemReply& reply,
                      ToldCall& call);

  std::shared_ptr<JudgingDoors> doors_;
  std::string auth_token_;
  Bounds bounds_;
  std::unique_ptr<Loop> loop_;  // ends first, and with it the last calls, which use the others
};

}  // namespace assay::transport::module
