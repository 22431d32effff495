// One Exec: waits for its job without a thread.
#pragma once

#include <memory>
#include <string>

#include "executor.grpc.pb.h"
#include "service/service.h"
#include "transport/grpc_module/delivery.h"
#include "transport/grpc_module/hold.h"

namespace assay::transport::module {

class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  UnaryCall(pb::Response& response, Budget::Share request, Bounds& bounds,
            grpc::CallbackServerContext& context)
      : response_(response), request_(std::move(request)), delivery_(bounds, context) {}
  void start(service::Service& service, exec::Request request);

 private:
  void OnCancel() override { hold_->cancel(); }  // the client has gone, or its deadline has passed
  void OnDone() override { delete this; }
  void answer(service::Results results);

  pb::Response& response_;
  Budget::Share request_;
  Delivery delivery_;
  service::Service* service_ = nullptr;
  std::string request_id_{};
  std::shared_ptr<Hold> hold_ = std::make_shared<Hold>();
};

// What programs left in the store for a client who is not told.
void forget_files(service::Service& service, const pb::Response& response);

// Protobuf has no larger messages; OK or RESOURCE_EXHAUSTED.
grpc::Status fits_into_message(const pb::Response& response);

}  // namespace assay::transport::module
