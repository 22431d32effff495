#include "transport/grpc_module/auth.h"

#include <grpcpp/server_context.h>
#include <strings.h>

namespace assay::transport::module {

namespace {

constexpr std::string_view kScheme = "bearer ";

// Every byte of what was offered is looked at, whatever the first ones are.
bool same_in_constant_time(std::string_view offered, std::string_view token) {
  unsigned difference = offered.size() != token.size();
  for (std::size_t i = 0; i < offered.size(); ++i)
    difference |= static_cast<unsigned char>(offered[i]) ^
                  static_cast<unsigned char>(token[i % token.size()]);
  return difference == 0;
}

}  // namespace

bool is_bearer(std::string_view header, std::string_view token) {
  if (token.empty() || header.size() < kScheme.size()) return false;
  if (strncasecmp(header.data(), kScheme.data(), kScheme.size()) != 0) return false;
  return same_in_constant_time(header.substr(kScheme.size()), token);
}

grpc::Status authorize(const grpc::CallbackServerContext& context, const std::string& token) {
  if (token.empty()) return grpc::Status::OK;
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("authorization");
  if (found == metadata.end())
    return {grpc::StatusCode::UNAUTHENTICATED,
            "this server wants the metadata 'authorization: bearer <token>'"};
  if (!is_bearer({found->second.data(), found->second.size()}, token))
    return {grpc::StatusCode::UNAUTHENTICATED, "the authorization is not that of this server"};
  return grpc::Status::OK;
}

}  // namespace assay::transport::module
