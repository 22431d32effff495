// What an answer costs while it is on its way to the client: its bytes, until they are taken, and
// our patience.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "transport/grpc_module/budget.h"
#include "transport/grpc_module/deadlines.h"

namespace assay::transport::module {

struct Bounds {  // of all calls of one service
  Budget budget;
  Deadlines& deadlines;
};

// Apart from the share of the request: who was let in with a large one may still be told little.
class Delivery {
 public:
  Delivery(Bounds& bounds, grpc::CallbackServerContext& context)
      : share_(bounds.budget.none()), wait_(bounds.deadlines, context.c_call()) {}

  // Room for an answer that is still to be made.
  grpc::Status reserve(std::uint64_t size);
  // OK: it may be written now. Then end() must come before OnDone returns.
  grpc::Status begin(const google::protobuf::MessageLite& message);
  void end();

 private:
  Budget::Share share_;
  Deadlines::Wait wait_;
};

// Answers at once, and keeps its shares until the client has the answer.
class ToldCall final : public grpc::ServerUnaryReactor {
 public:
  ToldCall(Bounds& bounds, grpc::CallbackServerContext& context, Budget::Share request = {})
      : request_(std::move(request)), delivery_(bounds, context) {}

  Budget::Share& request() { return request_; }
  grpc::Status reserve(std::uint64_t size) { return delivery_.reserve(size); }
  void tell(const grpc::Status& status, const google::protobuf::MessageLite& answer) {
    Finish(status.ok() ? delivery_.begin(answer) : status);
  }

 private:
  void OnDone() override { delete this; }

  Budget::Share request_;
  Delivery delivery_;
};

// A call that is answered with this already.
grpc::ServerUnaryReactor* told(Bounds& bounds, grpc::CallbackServerContext& context,
                               const google::protobuf::MessageLite& answer,
                               Budget::Share request = {});
// One that is not: a status alone waits for nobody.
grpc::ServerUnaryReactor* refused(grpc::CallbackServerContext& context, const grpc::Status& status);

}  // namespace assay::transport::module
