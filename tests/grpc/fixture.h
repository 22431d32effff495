// A gRPC server over the engine that runs nothing, and a client.
#pragma once

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "executor.grpc.pb.h"
#include "store/store.h"
#include "tests/service/fake_engine.h"
#include "transport/grpc.h"

namespace assay::transport::module {

class GrpcTest : public testing::Test {
 protected:
  GrpcTest();
  ~GrpcTest() override;

  void serve(GrpcOptions options = {});  // on a free port
  std::shared_ptr<grpc::Channel> channel(int message_size = -1) const;
  std::string address() const { return "127.0.0.1:" + std::to_string(server_->port()); }

  static pb::Request order(std::vector<std::string> args);
  grpc::Status exec(const pb::Request& request, pb::Response* response);
  void await_idle();  // nothing runs and nothing waits

  std::string directory_;
  std::unique_ptr<store::Store> store_;
  service::FakeEngine* engine_ = nullptr;  // the service's
  std::unique_ptr<service::Service> service_;
  std::unique_ptr<GrpcServer> server_;
  std::unique_ptr<pb::Executor::Stub> stub_;
};

}  // namespace assay::transport::module
