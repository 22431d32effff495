// How much all requests of this door may hold in memory together: a queue of large messages must
// not eat the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/units.h"

namespace assay::transport::module {

inline constexpr const char* kOverBudget =
    "the requests at hand fill the memory that gRPC may use: try again later";

class Budget {
 public:
  explicit Budget(Bytes most) : most_(most.count) {}

  class Share {  // given back with the object; the budget must outlive it
   public:
    Share() = default;
    Share(Share&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), size_(other.size_) {}
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
      const std::uint64_t more = size - size_;
      if (budget_->used_.fetch_add(more) + more > budget_->most_) {
        budget_->used_ -= more;
        return false;
      }
      size_ = size;
      return true;
    }

   private:
    friend class Budget;
    Share(Budget* budget, std::uint64_t size) : budget_(budget), size_(size) {}
    Budget* budget_ = nullptr;
    std::uint64_t size_ = 0;
  };

  std::optional<Share> take(Bytes size) {
    if (used_.fetch_add(size.count) + size.count <= most_) return Share(this, size.count);
    used_ -= size.count;
    return std::nullopt;
  }

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> used_ = 0;
};

}  // namespace assay::transport::module
