// An engine that gives no answer once its warden is gone: every box dies with it, and what became
// of their programs is no result.
#pragma once

#include "os/fd.h"
#include "service/service.h"

namespace assay::daemon {

class WardedEngine final : public service::Engine {
 public:
  WardedEngine(std::unique_ptr<service::Engine> engine, int warden_pid);

  [[nodiscard]] Status check(const exec::Request& request, bool live) const override;
  service::Results run(const exec::Request& request, const exec::Session& session) override;

 private:
  [[nodiscard]] bool warden_is_gone() const;

  std::unique_ptr<service::Engine> engine_;
  os::OwnedFd warden_;  // a pidfd
};

}  // namespace assay::daemon
