// What a connection becomes when its client asks for a WebSocket: many requests at a time on /ws,
// one live execution on /stream.
#pragma once

#include <memory>

#include "transport/context.h"
#include "transport/message.h"

namespace assay::transport {

// It is said again in every answer, escaped.
constexpr std::size_t kLongestRequestId = 4096;
constexpr const char* kRequestIdTooLong = "$.requestId: longer than 4096 bytes";

void serve_requests(Context& context, std::unique_ptr<Visit> visit, const Head& handshake);
void serve_stream(Context& context, std::unique_ptr<Visit> visit, const Head& handshake);

}  // namespace assay::transport
