// Failures as gRPC tells them.
#pragma once

#include <grpcpp/support/status.h>

#include "base/result.h"

namespace assay::transport::module {

// A run that could not be made: go-judge says INVALID_ARGUMENT for what is wrong with the request
// itself and INTERNAL for the rest, a file that does not exist and a full queue among it.
grpc::Status run_status(const Error& error);

// A file that could not be listed, read, added or removed.
grpc::Status file_status(const Error& error);

}  // namespace assay::transport::module
