// Builds the server and keeps it: what the entry of libassay-grpc.so does.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include "transport/grpc.h"

namespace assay::transport::module {

struct Rules {                                                    // that only tests choose
  std::chrono::milliseconds patience = std::chrono::seconds(60);  // with a client that is awaited
  std::chrono::milliseconds idle = std::chrono::minutes(2);       // of a connection without calls
  std::size_t connections = 4096;
};

Result<std::unique_ptr<GrpcServer>> start_server(service::Service& service,
                                                 const GrpcOptions& options, const Rules& rules);

}  // namespace assay::transport::module
