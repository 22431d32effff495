// The entry of libassay-grpc.so: builds the server and keeps it.
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>

#include "transport/grpc.h"
#include "transport/grpc_module/counting.h"
#include "transport/grpc_module/executor.h"
#include "transport/grpc_module/judging_service.h"

namespace assay::transport::module {

namespace {

// "host:port"; gRPC takes a missing port for 443 and does not know ":5051".
Result<std::string> to_listening_address(const std::string& address) {
  const auto colon = address.rfind(':');
  if (colon == std::string::npos) return invalid("expected host:port");
  const auto port = std::string_view(address).substr(colon + 1);
  unsigned number = 0;
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (fault != std::errc() || end != port.data() + port.size() || number > 65535)
    return invalid("expected a port from 0 to 65535 after the last ':'");
  return colon == 0 ? "[::]" + address : address;
}

// The libraries write to stderr in their own format, into the middle of our log; only who asks for
// it gets it.
void quieten_libraries() {
  if (std::getenv("GRPC_VERBOSITY")) return;
  gpr_set_log_function([](gpr_log_func_args*) {});
  google::protobuf::SetLogHandler(nullptr);
}

// Few threads: calls are callbacks, and what reflection needs is little.
void limit_resources(grpc::ServerBuilder& builder, Bytes message_size) {
  grpc::ResourceQuota quota("assay");
  quota.Resize(std::max((256_MiB).count, 4 * message_size.count));
  quota.SetMaxThreads(8);
  builder.SetResourceQuota(quota);
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
  builder.SetMaxReceiveMessageSize(
      static_cast<int>(std::min<std::uint64_t>(message_size.count, INT_MAX)));
  builder.SetMaxSendMessageSize(-1);  // clients have limits of their own
  // A small message could unpack to any size before a limit is looked at. go-judge takes none
  // either.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
}

void set_connection_rules(grpc::ServerBuilder& builder) {
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT,
                             0);  // or a second server shares the port unseen
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1024);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);  // finds clients that are gone
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
}

Bytes buffered_by(const GrpcOptions& options) {
  return {std::max(options.buffered.count, 4 * options.message_size.count)};
}

class ModuleServer final : public GrpcServer {
 public:
  static Result<std::unique_ptr<ModuleServer>> start(service::Service& service,
                                                     const GrpcOptions& options) {
    const auto address = TRY(to_listening_address(options.address));
    auto loop = TRY(Loop::start());
    std::unique_ptr<ModuleServer> made(new ModuleServer(service, options, std::move(loop)));
    if (options.judging)
      made->judging_ = std::make_unique<JudgingService>(options.judging, TRY(Loop::start()),
                                                        options.auth_token, buffered_by(options));
    TRY_STATUS(made->listen(address, options));
    return made;
  }

  ~ModuleServer() override { stop(std::chrono::milliseconds(0)); }

  void stop(std::chrono::milliseconds patience) override {
    if (!server_) return;
    server_->GetHealthCheckService()->SetServingStatus(false);
    server_->Shutdown(std::chrono::system_clock::now() + patience);
    server_->Wait();
    server_.reset();
  }

  [[nodiscard]] int port() const override { return port_; }

 private:
  ModuleServer(service::Service& service, const GrpcOptions& options, std::unique_ptr<Loop> loop)
      : loop_(std::move(loop)),
        executor_(service, *loop_, options.auth_token,
                  {options.message_size, buffered_by(options)}) {}

  Status listen(const std::string& address, const GrpcOptions& options) {
    quieten_libraries();
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    limit_resources(builder, options.message_size);
    count_calls(builder, options.observer);
    set_connection_rules(builder);
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&executor_);
    if (judging_) builder.RegisterService(judging_.get());
    server_ = builder.BuildAndStart();
    if (!server_ || port_ == 0)
      return invalid("is it an address of this machine, and is the port free?");
    server_->GetHealthCheckService()->SetServingStatus("pb.Executor", true);
    if (judging_)
      server_->GetHealthCheckService()->SetServingStatus(v1::Judging::service_full_name(), true);
    return {};
  }

  std::unique_ptr<Loop> loop_;  // ends after the server: the last of a call is posted to it
  Executor executor_;
  std::unique_ptr<JudgingService> judging_{};  // null: nothing is judged
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_{};
};

}  // namespace

}  // namespace assay::transport::module

extern "C" assay::transport::GrpcServer* assay_grpc_start(
    assay::service::Service& service, const assay::transport::GrpcOptions& options,
    std::string* error) {
  auto server = assay::transport::module::ModuleServer::start(service, options);
  if (server) return server->release();
  *error = describe(server.error());
  return nullptr;
}
