#include "transport/grpc_module/counting.h"

#include <grpcpp/support/server_interceptor.h>

#include <memory>
#include <vector>

namespace assay::transport::module {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;

const char* name_of(ServerRpcInfo::Type type) {
  switch (type) {
    case ServerRpcInfo::Type::CLIENT_STREAMING:
      return "client_stream";
    case ServerRpcInfo::Type::SERVER_STREAMING:
      return "server_stream";
    case ServerRpcInfo::Type::BIDI_STREAMING:
      return "bidi_stream";
    default:
      return "unary";
  }
}

// As the words of gRPC's own documents, without their spaces.
const char* name_of(grpc::StatusCode code) {
  constexpr const char* kNames[] = {
      "OK",       "Canceled",       "Unknown",          "InvalidArgument",   "DeadlineExceeded",
      "NotFound", "AlreadyExists",  "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
      "Aborted",  "OutOfRange",     "Unimplemented",    "Internal",          "Unavailable",
      "DataLoss", "Unauthenticated"};
  const auto index = static_cast<std::size_t>(code);
  return index < std::size(kNames) ? kNames[index] : "Unknown";
}

class Counting final : public grpc::experimental::Interceptor {
 public:
  Counting(const RpcObserver& observer, const ServerRpcInfo& info)
      : observer_(observer), type_(name_of(info.type())) {
    const std::string_view path = info.method();  // "/pb.Executor/Exec"
    const std::size_t slash = path.rfind('/');
    service_ = path.substr(1, slash - 1);
    method_ = path.substr(slash + 1);
    tell(RpcEvent::Kind::Started);
  }

  void Intercept(InterceptorBatchMethods* batch) override {
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_MESSAGE) &&
        batch->GetRecvMessage() != nullptr)
      tell(RpcEvent::Kind::Received);
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_MESSAGE))
      tell(RpcEvent::Kind::Sent);
    if (batch->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS))
      tell(RpcEvent::Kind::Handled, name_of(batch->GetSendStatus().error_code()));
    batch->Proceed();
  }

 private:
  void tell(RpcEvent::Kind kind, const char* code = "") const {
    observer_({.kind = kind, .service = service_, .method = method_, .type = type_, .code = code});
  }

  const RpcObserver& observer_;
  std::string service_;
  std::string method_;
  const char* type_;
};

class Factory final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit Factory(RpcObserver observer) : observer_(std::move(observer)) {}
  grpc::experimental::Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    return new Counting(observer_, *info);
  }

 private:
  RpcObserver observer_;
};

}  // namespace

void count_calls(grpc::ServerBuilder& builder, const RpcObserver& observer) {
  if (!observer) return;
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> makers;
  makers.push_back(std::make_unique<Factory>(observer));
  builder.experimental().SetInterceptorCreators(std::move(makers));
}

}  // namespace assay::transport::module
