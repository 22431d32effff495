// What all connections share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "transport/aside.h"
#include "transport/metrics.h"
#include "transport/registry.h"
#include "transport/seats.h"
#include "transport/server.h"

namespace boost::asio {
class io_context;
}

namespace assay::transport {

constexpr std::size_t kSmallAnswer = 65536;  // is given whatever others keep

// Bytes that clients made us keep, all together. The last eighth is for those who want little: a
// few who send a gigabyte slowly are not to keep everybody else out. It is as much as all
// connections can ask of it with one small body each.
class Budget {
 public:
  explicit Budget(Bytes limit) : count_(std::make_shared<Count>(limit.count)) {}

 private:
  struct Count {
    explicit Count(std::uint64_t most) : limit(most) {}
    const std::uint64_t limit;
    std::atomic<std::uint64_t> used = 0;
  };

 public:
  // A share of it, given back with its owner, who may outlive the server: a run goes on while that
  // ends.
  class Lease {
   public:
    explicit Lease(Budget& budget) : count_(budget.count_) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { count_->used -= held_; }

    // Makes it at least so large; in steps, so that few bytes cost few atomic operations.
    bool cover(std::uint64_t bytes) {
      if (bytes <= held_) return true;
      const std::uint64_t more = (bytes - held_ + kStep - 1) / kStep * kStep;
      const bool little = held_ + more <= kLittle;
      if ((count_->used += more) > (little ? count_->limit : count_->limit / 8 * 7)) {
        count_->used -= more;
        return false;
      }
      held_ += more;
      return true;
    }
    // Gives back what is beyond so many.
    void shrink(std::uint64_t bytes) {
      const std::uint64_t less = held_ - std::min(held_, (bytes + kStep - 1) / kStep * kStep);
      held_ -= less;
      count_->used -= less;
    }

   private:
    static constexpr std::uint64_t kStep = 65536;
    static constexpr std::uint64_t kLittle = kStep;
    const std::shared_ptr<Count> count_;
    std::uint64_t held_ = 0;
  };

 private:
  std::shared_ptr<Count> count_;
};

struct Context {
  boost::asio::io_context& io;
  service::Service& service;
  Options options;
  Budget budget{options.limits.buffered};
  // Of those whose token is in the body: they are to be in the way of each other only.
  Budget strangers{Bytes{options.limits.buffered.count / 8}};
  Registry registry{};
  Aside aside{4};  // for starting and ending held processes
  // None where the number of threads is the caller's: some must be left.
  Seats seats{options.threads != 0 ? 0 : static_cast<unsigned>(service.snapshot().workers)};
};

}  // namespace assay::transport
