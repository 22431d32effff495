// What a connection becomes when its client asks for a WebSocket: many requests at a time on /ws,
// one live execution on /stream.
#pragma once

#include <memory>

#include "transport/context.h"
#include "transport/message.h"

namespace assay::transport {

void serve_requests(Context& context, std::unique_ptr<Visit> visit, const Head& handshake);
void serve_stream(Context& context, std::unique_ptr<Visit> visit, const Head& handshake);

}  // namespace assay::transport
