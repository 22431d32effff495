// Tells somebody about every call, for metrics.
#pragma once

#include <grpcpp/server_builder.h>

#include "transport/grpc.h"

namespace assay::transport::module {

void count_calls(grpc::ServerBuilder& builder, const RpcObserver& observer);

}  // namespace assay::transport::module
