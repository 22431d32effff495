#include "transport/grpc_module/module.h"

#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "transport/grpc_module/counting.h"
#include "transport/grpc_module/entrance.h"
#include "transport/grpc_module/executor.h"
#include "transport/grpc_module/judging_service.h"

namespace assay::transport::module {

namespace {

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

void set_connection_rules(grpc::ServerBuilder& builder, const Rules& rules) {
  const auto patience = static_cast<int>(rules.patience.count());
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, patience);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, static_cast<int>(rules.idle.count()));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1024);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);  // finds clients that are gone
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
}

// Four large messages fit beside the last eighth, which is for small ones.
Bytes buffered_by(const GrpcOptions& options) {
  return {std::max(options.buffered.count, 5 * options.message_size.count)};
}

class ModuleServer final : public GrpcServer {
 public:
  static Result<std::unique_ptr<ModuleServer>> start(service::Service& service,
                                                     const GrpcOptions& options,
                                                     const Rules& rules) {
    Listeners listeners = TRY(listen_at(options.address));
    auto deadlines = TRY(Deadlines::make(rules.patience));
    auto loop = TRY(Loop::start());
    std::unique_ptr<ModuleServer> made(
        new ModuleServer(service, options, std::move(deadlines), std::move(loop)));
    if (options.judging)
      made->judging_ =
          std::make_unique<JudgingService>(options.judging, TRY(Loop::start()), *made->deadlines_,
                                           options.auth_token, buffered_by(options));
    TRY_STATUS(made->deadlines_->look_from(*made->loop_));
    TRY_STATUS(made->serve(options, rules));
    TRY_STATUS(made->let_in(std::move(listeners), rules));
    return made;
  }

  ~ModuleServer() override { stop(std::chrono::milliseconds(0)); }

  void stop(std::chrono::milliseconds patience) override {
    if (!server_) return;
    if (entrance_) entrance_->close();
    server_->GetHealthCheckService()->SetServingStatus(false);
    server_->Shutdown(std::chrono::system_clock::now() + patience);
    server_->Wait();
    server_.reset();
  }

  [[nodiscard]] int port() const override { return port_; }

 private:
  ModuleServer(service::Service& service, const GrpcOptions& options,
               std::unique_ptr<Deadlines> deadlines, std::unique_ptr<Loop> loop)
      : deadlines_(std::move(deadlines)),
        loop_(std::move(loop)),
        executor_(service, *loop_, *deadlines_, options.auth_token,
                  {options.message_size, buffered_by(options)}) {}

  Status serve(const GrpcOptions& options, const Rules& rules) {
    quieten_libraries();
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    grpc::ServerBuilder builder;
    limit_resources(builder, options.message_size);
    count_calls(builder, options.observer);
    set_connection_rules(builder, rules);
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        grpc::InsecureServerCredentials());
    builder.RegisterService(&executor_);
    if (judging_) builder.RegisterService(judging_.get());
    server_ = builder.BuildAndStart();
    if (!server_) return system_error(0, "gRPC does not start");
    server_->GetHealthCheckService()->SetServingStatus("pb.Executor", true);
    if (judging_)
      server_->GetHealthCheckService()->SetServingStatus(v1::Judging::service_full_name(), true);
    return {};
  }

  Status let_in(Listeners listeners, const Rules& rules) {
    port_ = listeners.port;
    entrance_ = TRY(Entrance::make(std::move(listeners), rules.connections, *loop_));
    return entrance_->open([this](int listener, os::OwnedFd client) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters given;
      given.listener_fd = listener;
      given.fd = client.release();
      acceptor_->HandleNewConnection(&given);
    });
  }

  std::unique_ptr<Deadlines> deadlines_;
  std::unique_ptr<Loop> loop_;  // ends after the server: the last of a call is posted to it
  Executor executor_;
  std::unique_ptr<JudgingService> judging_{};  // null: nothing is judged
  int port_ = 0;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_{};
  std::unique_ptr<Entrance> entrance_{};
  std::unique_ptr<grpc::Server> server_{};
};

}  // namespace

Result<std::unique_ptr<GrpcServer>> start_server(service::Service& service,
                                                 const GrpcOptions& options, const Rules& rules) {
  return ModuleServer::start(service, options, rules);
}

}  // namespace assay::transport::module

extern "C" assay::transport::GrpcServer* assay_grpc_start(
    assay::service::Service& service, const assay::transport::GrpcOptions& options,
    std::string* error) {
  auto server = assay::transport::module::start_server(service, options, {});
  if (server) return server->release();
  *error = describe(server.error());
  return nullptr;
}
