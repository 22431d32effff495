#include "transport/grpc_module/delivery.h"

#include "transport/grpc_module/judging_status.h"

namespace assay::transport::module {

grpc::Status Delivery::reserve(std::uint64_t size) {
  if (share_.cover(size)) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, kOverBudget};
}

grpc::Status Delivery::begin(const google::protobuf::MessageLite& message) {
  if (const grpc::Status fits = can_be_sent(message); !fits.ok()) return fits;
  const std::size_t size = message.ByteSizeLong();
  if (const grpc::Status room = reserve(size); !room.ok()) return room;
  wait_.begin_for_answer(size);
  return grpc::Status::OK;
}

void Delivery::end() {
  wait_.end();
  share_.shrink(0);
}

grpc::ServerUnaryReactor* told(Bounds& bounds, grpc::CallbackServerContext& context,
                               const google::protobuf::MessageLite& answer, Budget::Share request) {
  auto* call = new ToldCall(bounds, context, std::move(request));
  call->tell(grpc::Status::OK, answer);
  return call;
}

grpc::ServerUnaryReactor* refused(grpc::CallbackServerContext& context,
                                  const grpc::Status& status) {
  auto* reactor = context.DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

}  // namespace assay::transport::module
