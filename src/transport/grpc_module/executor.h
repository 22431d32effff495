// pb.Executor: each method decodes, asks the service or its store, and encodes. No thread of gRPC
// ever waits for a run.
#pragma once

#include <memory>
#include <string>

#include "base/units.h"
#include "executor.grpc.pb.h"
#include "service/service.h"
#include "transport/grpc_module/delivery.h"
#include "transport/grpc_module/loop.h"

namespace assay::transport::module {

class Executor final : public pb::Executor::CallbackService {
 public:
  struct Sizes {
    Bytes message{};
    Bytes buffered{};
  };
  Executor(service::Service& service, Loop& loop, Deadlines& deadlines, std::string auth_token,
           Sizes sizes);

  grpc::ServerUnaryReactor* Exec(grpc::CallbackServerContext* context, const pb::Request* request,
                                 pb::Response* response) override;
  grpc::ServerBidiReactor<pb::StreamRequest, pb::StreamResponse>* ExecStream(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* FileList(grpc::CallbackServerContext* context,
                                     const google::protobuf::Empty* request,
                                     pb::FileListType* response) override;
  grpc::ServerUnaryReactor* FileGet(grpc::CallbackServerContext* context, const pb::FileID* request,
                                    pb::FileContent* response) override;
  grpc::ServerUnaryReactor* FileAdd(grpc::CallbackServerContext* context,
                                    const pb::FileContent* request, pb::FileID* response) override;
  grpc::ServerUnaryReactor* FileDelete(grpc::CallbackServerContext* context,
                                       const pb::FileID* request,
                                       google::protobuf::Empty* response) override;

 private:
  grpc::Status get(const std::string& id, pb::FileContent& content, ToldCall& call);

  service::Service& service_;
  Loop& loop_;
  std::string auth_token_;
  Bytes message_size_;
  Bounds bounds_;
};

}  // namespace assay::transport::module
