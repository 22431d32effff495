// The events of one judging on a WebSocket: one text message each, then a normal close.
#pragma once

#include "service/judging.h"
#include "transport/context.h"
#include "transport/message.h"

namespace assay::transport {

void serve_feed(Context& context, std::unique_ptr<Visit> visit, const Head& handshake,
                std::shared_ptr<service::Judging> judging, std::uint64_t seen);

}  // namespace assay::transport
