// How judging's failures are told over gRPC.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/support/status.h>

#include "base/result.h"

namespace assay::transport::module {

grpc::Status judging_status(const Error& error);

// Protobuf has no messages of more than 2 GiB; OK or RESOURCE_EXHAUSTED.
grpc::Status can_be_sent(const google::protobuf::MessageLite& message);

}  // namespace assay::transport::module
