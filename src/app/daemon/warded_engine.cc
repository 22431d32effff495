#include "app/daemon/warded_engine.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace assay::daemon {

WardenWatch::WardenWatch(int pid) : warden_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

// The kernel ends the boxes a moment before it says that their parent has ended.
void WardenWatch::survive() const {
  constexpr int kMomentMs = 5;
  pollfd gone{warden_.get(), POLLIN, 0};
  if (::poll(&gone, 1, kMomentMs) <= 0) return;
  for (;;)
    ::pause();
}

WardedEngine::WardedEngine(std::unique_ptr<service::Engine> engine, int warden_pid)
    : engine_(std::move(engine)), warden_(warden_pid) {}

Status WardedEngine::check(const exec::Request& request, bool live) const {
  return engine_->check(request, live);
}

service::Results WardedEngine::run(const exec::Request& request, const exec::Session& session) {
  service::Results results = engine_->run(request, session);
  const bool doubtful = !results || std::ranges::any_of(*results, [](const auto& result) {
    return result.status == exec::RunStatus::InternalError;
  });
  if (doubtful) warden_.survive();
  return results;
}

Result<judge::JudgeResult> WardedJudge::judge(const service::JudgeOrder& order,
                                              const judge::JudgeEvents& events,
                                              judge::Cancellation& cancellation) {
  judge::JudgeEvents warded = events;
  warded.tested = [&](std::size_t index, const judge::TestResult& test) {
    if (verdict::is_our_fault(test.verdict)) warden_.survive();
    if (events.tested) events.tested(index, test);
  };
  auto result = engine_->judge(order, warded, cancellation);
  const bool doubtful = !result || result->status == judge::JudgeStatus::Failed ||
                        verdict::is_our_fault(result->verdict);
  if (doubtful) warden_.survive();
  return result;
}

}  // namespace assay::daemon
