// A server with bounds that a test can reach.
#pragma once

#include "tests/grpc/fixture.h"
#include "tests/grpc/fixture_raw.h"
#include "transport/grpc_module/module.h"

namespace assay::transport::module {

class BoundsTest : public GrpcTest {
 protected:
  void serve(GrpcOptions options, const Rules& rules = {}) {
    options.address = "127.0.0.1:0";
    auto server = start_server(*service_, options, rules);
    ASSERT_TRUE(server) << describe(server.error());
    server_ = *std::move(server);
    stub_ = pb::Executor::NewStub(channel());
  }
  pb::FileID keep(std::size_t size) {
    pb::FileID id;
    id.set_fileid(store_->add("file", std::string(size, 'x')).value_or(""));
    return id;
  }
  grpc::StatusCode get(const pb::FileID& id) {
    grpc::ClientContext context;
    pb::FileContent file;
    return stub_->FileGet(&context, id, &file).error_code();
  }
  grpc::StatusCode echo(std::size_t size) {
    pb::Response response;
    return exec(order({"echo", std::string(size, 'x')}), &response).error_code();
  }
  // The test's time limit is the judge of this.
  template <typename Ask>
  static void await(grpc::StatusCode wanted, Ask ask) {
    while (ask() != wanted)
      std::this_thread::yield();
  }
};

}  // namespace assay::transport::module
