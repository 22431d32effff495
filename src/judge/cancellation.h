// Stops whatever runs under it, now and later, from any thread. One may be part of another: a test
// of a submission.
#pragma once

#include <mutex>
#include <set>

#include "sandbox/sandbox.h"

namespace assay::judge {

class Cancellation {
 public:
  Cancellation() = default;
  explicit Cancellation(Cancellation& whole);  // cancelled with it; must not outlive it
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  void cancel();  // sticks
  [[nodiscard]] bool is_cancelled() const;

  // A run that ends when this is cancelled.
  Result<sandbox::Facts> run(sandbox::Sandbox& engine, const sandbox::Spec& spec);

 private:
  mutable std::mutex mutex_;  // a whole's is taken before its parts'
  bool cancelled_ = false;
  std::set<sandbox::Control*> runs_;
  std::set<Cancellation*> parts_;
  Cancellation* whole_ = nullptr;
};

}  // namespace assay::judge
