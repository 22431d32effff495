// One HTTP connection from its first byte to its last. Requests come one after the other; what
// becomes a WebSocket leaves it.
#pragma once

#include <memory>

#include "transport/context.h"
#include "transport/routes.h"

namespace assay::transport {

void serve_connection(Context& context, std::unique_ptr<Visit> visit, Door door);

}  // namespace assay::transport
