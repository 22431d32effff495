// How much all calls of this door may hold in memory together: neither a queue of large messages
// nor answers that nobody takes may eat the machine. The last eighth is for those who want little:
// a few large calls are not to keep everybody else out.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/units.h"

namespace assay::transport::module {

inline constexpr const char* kOverBudget =
    "the calls at hand fill the memory that gRPC may use: try again later";

inline constexpr std::uint64_t kSmallMessage = 65536;  // may have of the last eighth

class Budget {
 public:
  explicit Budget(Bytes most) : most_(most.count) {}

  class Share {  // given back with the object; the budget must outlive it
   public:
    Share() = default;
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(size_, other.size_);
      return *this;
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() {
      if (budget_) budget_->used_ -= size_;
    }

    // Makes it at least so large.
    bool cover(std::uint64_t size) {
      if (size <= size_) return true;
      CHECK(budget_ != nullptr);  // a share of nothing cannot grow
      if (!budget_->add(size - size_, size)) return false;
      size_ = size;
      return true;
    }

    // Gives back what is beyond so many.
    void shrink(std::uint64_t size) {
      if (size >= size_) return;
      budget_->used_ -= size_ - size;
      size_ = size;
    }

   private:
    friend class Budget;
    explicit Share(Budget* budget) : budget_(budget) {}
    Budget* budget_ = nullptr;
    std::uint64_t size_ = 0;
  };

  Share none() { return Share(this); }  // one that can grow
  std::optional<Share> take(Bytes size) {
    Share share = none();
    if (!share.cover(size.count)) return std::nullopt;
    return share;
  }

 private:
  // `whole`: what the share will have. One that grows in small steps is not small.
  bool add(std::uint64_t more, std::uint64_t whole) {
    const std::uint64_t most = whole <= kSmallMessage ? most_ : most_ - most_ / 8;
    if (used_.fetch_add(more) + more <= most) return true;
    used_ -= more;
    return false;
  }

  const std::uint64_t most_;
  std::atomic<std::uint64_t> used_ = 0;
};

}  // namespace assay::transport::module
