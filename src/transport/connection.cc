#include "transport/connection.h"

#include "transport/exchange.h"

namespace assay::transport {
namespace {

Detached live(Context& context, std::unique_ptr<Visit> visit, Door door) {
  Line line(context.io, std::move(visit), context.seats, context.options.limits);
  std::string unread;
  try {
    auto next = Exchange::Next::Again;
    for (Phase before = Phase::Reading; next == Exchange::Next::Again; before = Phase::Idle) {
      Exchange exchange(context, line, unread, door);
      next = co_await exchange.run(before);
      if (next == Exchange::Next::Again && !unread.empty()) co_await line.before_more();
    }
  } catch (const std::exception&) {
    // No memory, or a library's surprise: this client loses its connection, nobody else anything.
  }
}

}  // namespace

void serve_connection(Context& context, std::unique_ptr<Visit> visit, Door door) {
  live(context, std::move(visit), door);
}

}  // namespace assay::transport
