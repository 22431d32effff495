#include "app/daemon/warded_engine.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace assay::daemon {

WardedEngine::WardedEngine(std::unique_ptr<service::Engine> engine, int warden_pid)
    : engine_(std::move(engine)),
      warden_(static_cast<int>(::syscall(SYS_pidfd_open, warden_pid, 0))) {}

Status WardedEngine::check(const exec::Request& request, bool live) const {
  return engine_->check(request, live);
}

// The kernel ends the boxes a moment before it says that their parent has ended.
bool WardedEngine::warden_is_gone() const {
  constexpr int kMomentMs = 5;
  pollfd gone{warden_.get(), POLLIN, 0};
  return ::poll(&gone, 1, kMomentMs) > 0;
}

service::Results WardedEngine::run(const exec::Request& request, const exec::Session& session) {
  service::Results results = engine_->run(request, session);
  const bool doubtful = !results || std::ranges::any_of(*results, [](const auto& result) {
    return result.status == exec::RunStatus::InternalError;
  });
  // The main thread sees it, too, and ends the daemon; until then nobody must hear of this.
  if (doubtful && warden_is_gone())
    for (;;)
      ::pause();
  return results;
}

}  // namespace assay::daemon
