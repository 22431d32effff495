// Stops whatever runs under it, now and later, from any thread. One may be part of another: a test
// of a submission. Everything that judging runs goes through it, so it is also where a core is
// borrowed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "judge/cores.h"
#include "sandbox/sandbox.h"

namespace assay::judge {

class Cancellation {
 public:
  Cancellation() = default;
  explicit Cancellation(Cores& cores) : cores_(&cores) {}  // must outlive it
  explicit Cancellation(Cancellation& whole);              // cancelled with it; must not outlive it
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

  void cancel();  // sticks
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }

  // A run that ends when this is cancelled. Waits for a core first, if they are lent.
  Result<sandbox::Facts> run(sandbox::Sandbox& engine, sandbox::Spec spec);

  // Where the runs of one program are, unless cores are lent.
  void stay_on(std::vector<unsigned> cores) { place_ = std::move(cores); }

  // For several programs at once: the cores first (null: none are lent, or it was cancelled), then
  // the run, which `control` is the remote control of.
  std::unique_ptr<Cores::Lease> borrow(const CoreWish& wish);
  Result<std::vector<sandbox::Facts>> run_together(sandbox::Sandbox& engine,
                                                   std::span<const sandbox::Spec> specs,
                                                   sandbox::Control& control);

  // Calls `wake` once when `whole` is cancelled, at once if it is already: for whoever waits for
  // something that is no run. `wake` must not use the cancellation.
  class Watch {
   public:
    Watch(Cancellation& whole, std::function<void()> wake);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    friend class Cancellation;
    Cancellation& whole_;
    std::function<void()> wake_;
  };

 private:
  void mark();

  std::mutex mutex_;  // a whole's is taken before its parts'
  std::atomic<bool> cancelled_ = false;
  Cores* cores_ = nullptr;  // null: any, at once
  std::vector<unsigned> place_;
  std::set<sandbox::Control*> runs_;
  std::set<Cancellation*> parts_;
  std::set<Watch*> watches_;
  Cancellation* whole_ = nullptr;
};

}  // namespace assay::judge
