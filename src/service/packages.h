// Archives of problems become problems, one after the other on a thread of its own: unpacking takes
// a core, a box and time, and a thread that serves connections has none of them to give.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "judge/cancellation.h"
#include "judge/content.h"
#include "judge/problem.h"
#include "service/service.h"

namespace assay::service {

constexpr Bytes kLargestPackage = 256_MiB;  // as it comes

class Packages {
 public:
  using Load =
      std::function<Result<judge::Problem>(const judge::Content& archive, judge::Cancellation&)>;
  using Loaded = std::move_only_function<void(Result<judge::Problem>)>;
  static constexpr std::size_t kMostWaiting = 16;

  // The service lends the core, and is borrowed.
  Packages(const Service& service, Load load);
  Packages(const Packages&) = delete;
  Packages& operator=(const Packages&) = delete;
  ~Packages();  // stops

  // `loaded` is called once: later, on our thread; or now, with Busy, when too many wait or we have
  // stopped.
  void load(judge::Content archive, Loaded loaded);
  void stop();  // ends what is under way; whoever waits is told Busy, and nobody afterwards

 private:
  struct Order {
    judge::Content archive{};
    Loaded loaded{};
  };
  [[nodiscard]] Status admit(Order& order);
  std::optional<Order> next();
  Result<judge::Problem> load(const judge::Content& archive);
  void work();

  const Load load_;
  const std::unique_ptr<judge::Cores> cores_;
  judge::Cancellation cancellation_;
  std::mutex stopping_;
  std::mutex lock_;
  std::condition_variable news_;
  std::deque<Order> waiting_;
  bool stopped_ = false;
  std::thread thread_;  // since the first order
};

}  // namespace assay::service
