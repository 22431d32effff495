// How much all requests of this door may hold in memory together: a queue of large messages must
// not eat the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/units.h"

namespace assay::transport::module {

inline constexpr const char* kOverBudget =
    "the requests at hand fill the memory that gRPC may use: try again later";

inline constexpr std::uint64_t kSmallMessage = 65536;  // is sent whatever others keep

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

    [[nodiscard]] std::uint64_t size() const { return size_; }
    // Makes it at least so large.
    bool cover(std::uint64_t size) {
      if (size <= size_) return true;
      CHECK(budget_ != nullptr);  // a share of nothing cannot grow
      const std::uint64_t more = size - size_;
      if (budget_->used_.fetch_add(more) + more > budget_->most_) {
        budget_->used_ -= more;
        return false;
      }
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
    Share(Budget* budget, std::uint64_t size) : budget_(budget), size_(size) {}
    Budget* budget_ = nullptr;
    std::uint64_t size_ = 0;
  };

  Share none() { return Share(this, 0); }  // one that can grow
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
