#include "service/packages.h"

#include "os/thread.h"

namespace assay::service {
namespace {

constexpr int kPriority = 0;  // as a submission's

std::unexpected<Error> busy(const char* why) {
  return std::unexpected(Error{Fault::Busy, 0, why});
}

}  // namespace

Packages::Packages(const Service& service, Load load)
    : load_(std::move(load)), cores_(service.cores(kPriority)), cancellation_(*cores_) {}

Packages::~Packages() {
  stop();
}

Status Packages::admit(Order& order) {
  const std::lock_guard guard(lock_);
  if (stopped_) return busy(kShuttingDown);
  if (waiting_.size() >= kMostWaiting) return busy("too many packages are waiting to be unpacked");
  if (!thread_.joinable()) thread_ = TRY(os::start_thread([this] { work(); }));
  waiting_.push_back(std::move(order));
  news_.notify_one();
  return {};
}

void Packages::load(judge::Content archive, Loaded loaded) {
  Order order{std::move(archive), std::move(loaded)};
  if (const Status taken = admit(order); !taken) order.loaded(std::unexpected(taken.error()));
}

void Packages::stop() {
  const std::lock_guard one_by_one(stopping_);
  {
    const std::lock_guard guard(lock_);
    stopped_ = true;
    news_.notify_one();
  }
  cancellation_.cancel();
  if (thread_.joinable()) thread_.join();  // no other is started any more
}

std::optional<Packages::Order> Packages::next() {
  std::unique_lock guard(lock_);
  news_.wait(guard, [this] { return stopped_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  Order order = std::move(waiting_.front());
  waiting_.pop_front();
  return order;
}

// A library may throw, for want of memory above all, and nobody else is there to catch it.
Result<judge::Problem> Packages::load(const judge::Content& archive) {
  try {
    return load_(archive, cancellation_);
  } catch (const std::exception& error) {
    return system_error(0, std::string("read a package: ") + error.what());
  }
}

void Packages::work() {
  while (auto order = next()) {
    Result<judge::Problem> problem = busy(kShuttingDown);
    if (!cancellation_.is_cancelled()) problem = load(order->archive);
    // What was stopped in the middle says whatever it says.
    if (cancellation_.is_cancelled()) problem = busy(kShuttingDown);
    order->loaded(std::move(problem));
  }
}

}  // namespace assay::service
