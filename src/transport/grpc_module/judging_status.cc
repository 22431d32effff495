#include "transport/grpc_module/judging_status.h"

#include <limits>

#include "service/service.h"
#include "transport/grpc_module/convert.h"

namespace assay::transport::module {
namespace {

grpc::StatusCode code_of(const Error& error) {
  switch (error.fault) {
    case Fault::InvalidRequest:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case Fault::NotFound:
      return grpc::StatusCode::NOT_FOUND;
    case Fault::Conflict:
      return grpc::StatusCode::ALREADY_EXISTS;
    case Fault::Busy:
      // Only the first is worth another server.
      return error.context == service::kShuttingDown ? grpc::StatusCode::UNAVAILABLE
                                                     : grpc::StatusCode::RESOURCE_EXHAUSTED;
    case Fault::System:
      break;
  }
  return grpc::StatusCode::INTERNAL;
}

}  // namespace

grpc::Status judging_status(const Error& error) {
  return {code_of(error), as_utf8(describe(error))};
}

grpc::Status can_be_sent(const google::protobuf::MessageLite& message) {
  const std::size_t size = message.ByteSizeLong();
  if (size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the result has " + std::to_string(size) +
              " bytes, more than a message can hold: get it over HTTP"};
}

}  // namespace assay::transport::module
