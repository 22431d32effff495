#include "transport/seats.h"

#include <poll.h>

namespace assay::transport {
namespace {

// A client that sends one request after the other comes back sooner. For others it is one waking
// more every so often.
constexpr int kPatienceMs = 250;

}  // namespace

thread_local bool Seats::may_sit_ = false;

bool Seats::wait_for(int socket) {
  const bool seated = free_.fetch_sub(1, std::memory_order_relaxed) > 0;
  pollfd waiting{socket, POLLIN, 0};
  const bool ready = seated && ::poll(&waiting, 1, kPatienceMs) > 0;
  free_.fetch_add(1, std::memory_order_relaxed);
  return ready;
}

}  // namespace assay::transport
