#include "judge/cancellation.h"

namespace assay::judge {

Cancellation::Cancellation(Cancellation& whole) : cores_(whole.cores_), whole_(&whole) {
  const std::lock_guard lock(whole.mutex_);
  cancelled_ = whole.cancelled_.load();
  whole.parts_.insert(this);
}

Cancellation::~Cancellation() {
  if (whole_ == nullptr) return;
  const std::lock_guard lock(whole_->mutex_);
  whole_->parts_.erase(this);
}

Cancellation::Watch::Watch(Cancellation& whole, std::function<void()> wake)
    : whole_(whole), wake_(std::move(wake)) {
  const std::lock_guard lock(whole_.mutex_);
  if (whole_.cancelled_)
    wake_();
  else
    whole_.watches_.insert(this);
}

Cancellation::Watch::~Watch() {
  const std::lock_guard lock(whole_.mutex_);
  whole_.watches_.erase(this);
}

void Cancellation::mark() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (Watch* watch : watches_)
    watch->wake_();
  watches_.clear();
  for (sandbox::Control* run : runs_)
    run->cancel();
  for (Cancellation* part : parts_)
    part->mark();
}

// Those who wait for a core are woken with no lock held: they look here with the lender's.
void Cancellation::cancel() {
  mark();
  if (cores_ != nullptr) cores_->look_again();
}

std::unique_ptr<Cores::Lease> Cancellation::borrow(const CoreWish& wish) {
  if (cores_ == nullptr) return nullptr;
  return cores_->borrow(wish, [this] { return is_cancelled(); });
}

Result<std::vector<sandbox::Facts>> Cancellation::run_together(sandbox::Sandbox& engine,
                                                               std::span<const sandbox::Spec> specs,
                                                               sandbox::Control& control) {
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) control.cancel();
    runs_.insert(&control);
  }
  auto facts = engine.run_together(specs, &control);
  const std::lock_guard lock(mutex_);
  runs_.erase(&control);
  return facts;
}

Result<sandbox::Facts> Cancellation::run(sandbox::Sandbox& engine, sandbox::Spec spec) {
  const auto lease = borrow({.memory = spec.limits.memory.value_or(Bytes{})});
  if (spec.cores.empty()) spec.cores = lease != nullptr ? lease->places.front() : place_;
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
