// Who may call.
#pragma once

#include <grpcpp/support/status.h>

#include <string>
#include <string_view>

namespace grpc {
class CallbackServerContext;
}

namespace assay::transport::module {

// Whether "Bearer <token>" (the scheme in any case) carries this token. Takes as long for a wrong
// token as for the right one.
bool is_bearer(std::string_view header, std::string_view token);

// OK, or UNAUTHENTICATED. An empty token lets everybody in.
grpc::Status authorize(const grpc::CallbackServerContext& context, const std::string& token);

}  // namespace assay::transport::module
