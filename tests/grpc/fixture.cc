#include "tests/grpc/fixture.h"

#include <filesystem>

namespace assay::transport::module {

GrpcTest::GrpcTest() {
  char path[] = "/tmp/assay-grpc-test-XXXXXX";
  directory_ = mkdtemp(path);
  auto store = store::Store::open({.directory = directory_ + "/store", .temporary = true});
  if (!store) throw std::runtime_error(describe(store.error()));
  store_ = std::make_unique<store::Store>(*std::move(store));
  auto engine = std::make_unique<service::FakeEngine>();
  engine_ = engine.get();
  service_ = std::make_unique<service::Service>(
      std::move(engine), *store_, service::Options{.parallelism = 2}, service::Observer{});
}

GrpcTest::~GrpcTest() {
  stub_.reset();
  server_.reset();
  service_.reset();
  store_.reset();
  std::filesystem::remove_all(directory_);
}

void GrpcTest::serve(GrpcOptions options) {
  options.address = "127.0.0.1:0";
  std::string error;
  server_.reset(assay_grpc_start(*service_, options, &error));
  ASSERT_TRUE(server_) << error;
  stub_ = pb::Executor::NewStub(channel());
}

std::shared_ptr<grpc::Channel> GrpcTest::channel(int message_size) const {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(message_size);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  return grpc::CreateCustomChannel(address(), grpc::InsecureChannelCredentials(), arguments);
}

pb::Request GrpcTest::order(std::vector<std::string> args) {
  pb::Request request;
  auto& cmd = *request.add_cmd();
  for (auto& arg : args)
    cmd.add_args(std::move(arg));
  return request;
}

grpc::Status GrpcTest::exec(const pb::Request& request, pb::Response* response) {
  grpc::ClientContext context;
  return stub_->Exec(&context, request, response);
}

void GrpcTest::await_idle() {
  for (;;) {
    const auto now = service_->snapshot();
    if (now.running == 0 && now.queued == 0) return;
    std::this_thread::yield();
  }
}

}  // namespace assay::transport::module
