// An engine that gives no answer once its warden is gone: every box dies with it, and what became
// of their programs is no result.
#pragma once

#include "os/fd.h"
#include "service/judgings.h"
#include "service/service.h"

namespace assay::daemon {

class WardenWatch {
 public:
  explicit WardenWatch(int pid);
  // Returns only if it lives. The main thread sees its end, too, and ends the daemon; until then
  // nobody must hear of what became of the boxes.
  void survive() const;

 private:
  os::OwnedFd warden_;  // a pidfd
};

class WardedEngine final : public service::Engine {
 public:
  WardedEngine(std::unique_ptr<service::Engine> engine, int warden_pid);

  [[nodiscard]] Status check(const exec::Request& request, bool live) const override;
  service::Results run(const exec::Request& request, const exec::Session& session) override;

 private:
  std::unique_ptr<service::Engine> engine_;
  WardenWatch warden_;
};

// The same for judgings: they are judged again after the restart.
class WardedJudge final : public service::JudgeEngine {
 public:
  WardedJudge(std::unique_ptr<service::JudgeEngine> engine, int warden_pid)
      : engine_(std::move(engine)), warden_(warden_pid) {}

  Status accept(service::JudgeOrder& order) override { return engine_->accept(order); }
  Result<judge::JudgeResult> judge(const service::JudgeOrder& order,
                                   const judge::JudgeEvents& events,
                                   judge::Cancellation& cancellation) override;
  [[nodiscard]] judge::JudgeResult failed(const service::JudgeOrder& order,
                                          verdict::Verdict verdict,
                                          std::string message) const override {
    return engine_->failed(order, verdict, std::move(message));
  }

 private:
  std::unique_ptr<service::JudgeEngine> engine_;
  WardenWatch warden_;
};

}  // namespace assay::daemon
