#include "judge/cancellation.h"

namespace assay::judge {

Cancellation::Cancellation(Cancellation& whole) : whole_(&whole) {
  const std::lock_guard lock(whole.mutex_);
  cancelled_ = whole.cancelled_;
  whole.parts_.insert(this);
}

Cancellation::~Cancellation() {
  if (whole_ == nullptr) return;
  const std::lock_guard lock(whole_->mutex_);
  whole_->parts_.erase(this);
}

void Cancellation::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (sandbox::Control* run : runs_)
    run->cancel();
  for (Cancellation* part : parts_)
    part->cancel();
}

bool Cancellation::is_cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

Result<sandbox::Facts> Cancellation::run(sandbox::Sandbox& engine, const sandbox::Spec& spec) {
  sandbox::Control control;
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) control.cancel();
    runs_.insert(&control);
  }
  auto facts = engine.run(spec, &control);
  const std::lock_guard lock(mutex_);
  runs_.erase(&control);
  return facts;
}

}  // namespace assay::judge
