// What all connections share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "transport/metrics.h"
#include "transport/registry.h"
#include "transport/seats.h"
#include "transport/server.h"

namespace boost::asio {
class io_context;
}

namespace assay::transport {

constexpr std::size_t kSmallAnswer = 65536;  // is given whatever others keep

// Bytes that clients made us keep, all together. The last eighth is for those who want little: two
// who send a gigabyte slowly are not to keep everybody else out.
class Budget {
 public:
  explicit Budget(Bytes limit) : limit_(limit.count) {}

  // A share of it, given back with its owner.
  class Lease {
   public:
    explicit Lease(Budget& budget) : budget_(budget) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { budget_.used_ -= held_; }

    // Makes it at least so large; in steps, so that few bytes cost few atomic operations.
    bool cover(std::uint64_t bytes) {
      if (bytes <= held_) return true;
      const std::uint64_t more = (bytes - held_ + kStep - 1) / kStep * kStep;
      const bool little = held_ + more <= kLittle;
      if ((budget_.used_ += more) > (little ? budget_.limit_ : budget_.limit_ / 8 * 7)) {
        budget_.used_ -= more;
        return false;
      }
      held_ += more;
      return true;
    }
    // Gives back what is beyond so many.
    void shrink(std::uint64_t bytes) {
      const std::uint64_t less = held_ - std::min(held_, (bytes + kStep - 1) / kStep * kStep);
      held_ -= less;
      budget_.used_ -= less;
    }

   private:
    static constexpr std::uint64_t kStep = 65536;
    static constexpr std::uint64_t kLittle = 1 << 20;
    Budget& budget_;
    std::uint64_t held_ = 0;
  };

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_ = 0;
};

struct Context {
  boost::asio::io_context& io;
  service::Service& service;
  Options options;
  Budget budget{options.limits.buffered};
  Registry registry{};
  // None where the number of threads is the caller's: some must be left.
  Seats seats{options.threads != 0 ? 0 : static_cast<unsigned>(service.snapshot().workers)};
};

}  // namespace assay::transport
