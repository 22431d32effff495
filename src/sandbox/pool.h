// The boxes of this engine: lent to one run at a time, cleaned behind the caller's back, retired
// when anything is odd.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandbox/pool_shelf.h"
#include "sandbox/profile.h"
#include "sandbox/sandbox.h"
#include "sandbox/warden_link.h"

namespace assay::sandbox {

class Sandbox::Pool {
 public:
  Pool(Options options, WardenLink link) : options_(std::move(options)), link_(std::move(link)) {}

  // A box on loan. Given back when it goes out of scope; a box that went wrong is retired instead.
  class Loan {
   public:
    Loan(Pool* pool, std::string kind, std::unique_ptr<BoxHandle> box)
        : pool_(pool), kind_(std::move(kind)), box_(std::move(box)) {
      ++pool_->lent_;
    }
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&&) = delete;
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      if (!box_) return;
      --pool_->lent_;
      pool_->give_back(kind_, std::move(box_), clean_);
    }
    BoxHandle& operator*() { return *box_; }
    BoxHandle* operator->() { return box_.get(); }
    void finished() { clean_ = true; }  // the run is over and the box is cleaning itself

   private:
    Pool* pool_;
    std::string kind_;
    std::unique_ptr<BoxHandle> box_;
    bool clean_ = false;
  };

  Result<const Profile*> profile(const std::string& name);
  Result<Loan> lend(const Spec& spec);
  Status order_ahead(const Spec& spec);
  [[nodiscard]] Boxes boxes();
  [[nodiscard]] unsigned lent() const { return lent_; }
  [[nodiscard]] bool is_one_shot() const { return options_.one_shot; }
  void accept_degraded() noexcept { options_.allow_degraded = true; }
  Status prepare(const std::string& profile, unsigned count);
  Status await_clean();
  void retire_unneeded();
  WardenLink& link() { return link_; }

 private:
  [[nodiscard]] WardenLink::BoxOrder order_for(const Spec& spec) const;
  Result<std::unique_ptr<BoxHandle>> make(const Spec& spec, const std::string& kind);
  std::unique_ptr<BoxHandle> take_free(const std::string& kind, const Spec& spec);
  void give_back(const std::string& kind, std::unique_ptr<BoxHandle> box, bool clean);
  Status retire(std::unique_ptr<BoxHandle> box);
  std::unique_ptr<BoxHandle> take_unneeded(std::chrono::steady_clock::time_point now);
  bool retire_some();

  Options options_;
  WardenLink link_;
  std::atomic<unsigned> lent_ = 0;
  std::atomic<std::uint64_t> made_ = 0;
  std::mutex lock_;  // guards what is below; never held while a box is made or a program runs
  std::map<std::string, std::unique_ptr<Profile>> profiles_;
  std::map<std::string, Shelf<BoxHandle>> free_;
  std::chrono::steady_clock::time_point period_ends_{};
  std::chrono::steady_clock::time_point next_retirement_{};
  std::string ordered_;  // the kind of the box that the warden is making ahead; empty: none
};

}  // namespace assay::sandbox
