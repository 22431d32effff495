#include "transport/grpc_module/status.h"

#include "transport/grpc_module/convert.h"

namespace assay::transport::module {

grpc::Status run_status(const Error& error) {
  const auto code = error.fault == Fault::InvalidRequest ? grpc::StatusCode::INVALID_ARGUMENT
                                                         : grpc::StatusCode::INTERNAL;
  return {code, as_utf8(describe(error))};
}

grpc::Status file_status(const Error& error) {
  if (error.fault == Fault::NotFound)
    return {grpc::StatusCode::NOT_FOUND, as_utf8(describe(error))};
  return run_status(error);
}

}  // namespace assay::transport::module
