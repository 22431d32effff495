// The hold of a call on its job. The job may be over before submit() has returned it, and the
// client may go before that too; this makes either order right.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "service/service.h"

namespace assay::transport::module {

class Hold {
 public:
  void keep(std::shared_ptr<service::Job> job) {
    std::unique_lock lock(mutex_);
    if (over_ || !job) return;
    job_ = std::move(job);
    if (cancelled_) cancel_outside(lock);
  }

  void cancel() {
    std::unique_lock lock(mutex_);
    cancelled_ = true;
    if (job_) cancel_outside(lock);
  }

  // The job holds its `done`, which holds us: without this the two would keep each other alive.
  void release() {
    std::shared_ptr<service::Job> last;
    const std::lock_guard lock(mutex_);
    over_ = true;
    last.swap(job_);
  }

 private:
  // cancel() may call `done` on this thread, and that comes back to release().
  void cancel_outside(std::unique_lock<std::mutex>& lock) {
    const auto job = job_;
    lock.unlock();
    job->cancel();
  }

  std::mutex mutex_{};
  std::shared_ptr<service::Job> job_{};
  bool cancelled_ = false;
  bool over_ = false;
};

}  // namespace assay::transport::module
