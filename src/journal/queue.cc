#include "journal/queue.h"

#include <fmt/format.h>
#include <pthread.h>

namespace assay::journal {
namespace {

using namespace std::chrono_literals;

constexpr auto kCare = 60s;  // between two looks at what is too old

}  // namespace

Queue::Queue(sqlite::Handle database, const Options& options, const Pins& pins, Kept kept)
    : database_(std::move(database)), options_(options), pins_(pins) {
  counts_.kept = kept;
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "journal");
    work();
  });
}

Queue::~Queue() {
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

Written Queue::put(Act act, std::size_t size, Dropped files) {
  Item item{.act = std::move(act), .size = size, .files = files};
  Written written = item.done.get_future().share();
  const std::lock_guard guard(lock_);
  waiting_.push_back(std::move(item));
  size_ += size;
  changed_.notify_all();
  return written;
}

void Queue::wait_for_room() {
  std::unique_lock held(lock_);
  changed_.wait(held, [&] { return size_ <= options_.queue.count; });
}

void Queue::work() {
  std::unique_lock held(lock_);
  auto next_care = std::chrono::steady_clock::now();
  for (;;) {
    changed_.wait_until(held, next_care, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_ && waiting_.empty()) return;
    std::vector<Item> items;
    items.swap(waiting_);
    const bool is_full = counts_.kept.count > options_.keep_count ||
                         counts_.kept.bytes.count > options_.keep_bytes.count;
    held.unlock();
    if (!items.empty()) write(items);
    const auto now = std::chrono::steady_clock::now();
    if (is_full || now >= next_care) {
      evict();
      next_care = now + kCare;
    }
    held.lock();
  }
}

Status Queue::in_transaction(const std::function<Status()>& work) {
  TRY_STATUS(sqlite::run(database_.get(), "BEGIN IMMEDIATE"));
  Status done = work();
  if (done) done = sqlite::run(database_.get(), "COMMIT");
  // A full disk may have ended the transaction already.
  if (!done && sqlite3_get_autocommit(database_.get()) == 0)
    (void)sqlite::run(database_.get(), "ROLLBACK");
  return done;
}

Status Queue::write_together(std::vector<Item>& items, Changes& changes) {
  return in_transaction([&]() -> Status {
    for (Item& item : items)
      TRY_STATUS(item.act(database_.get(), changes));
    return {};
  });
}

// One that cannot be written must not take the others with it: then each is tried alone.
void Queue::write(std::vector<Item>& items) {
  Changes changes;
  const Status together = write_together(items, changes);
  if (together) settle(changes);
  std::size_t size = 0;
  std::uint64_t failures = 0;
  for (Item& item : items) {
    Status alone = together;
    if (!alone && items.size() > 1) {
      Changes own;
      alone = in_transaction([&] { return item.act(database_.get(), own); });
      if (alone) settle(own);
    }
    if (!alone) pins_.drop(item.files.key, item.files.count);
    tell(alone);
    failures += alone ? 0 : 1;
    size += item.size;
    item.done.set_value(std::move(alone));
  }
  const std::lock_guard guard(lock_);
  size_ -= size;
  counts_.failures += failures;
  counts_.written += items.size() - failures;
  ++counts_.commits;
  changed_.notify_all();
}

void Queue::settle(const Changes& changes) {
  for (const Dropped& dropped : changes.drops)
    pins_.drop(dropped.key, dropped.count);
  const std::lock_guard guard(lock_);
  counts_.kept.count += static_cast<std::uint64_t>(changes.results);
  counts_.kept.bytes.count += static_cast<std::uint64_t>(changes.result_bytes);
}

// Once when it begins to fail, once when it works again.
void Queue::tell(const Status& state) {
  if (state.has_value() == is_well_) return;
  is_well_ = state.has_value();
  if (!options_.say) return;
  options_.say(state ? "the journal is written again"
                     : fmt::format("the journal cannot be written: {}", describe(state.error())));
}

void Queue::evict() {
  Kept kept;
  {
    const std::lock_guard guard(lock_);
    kept = counts_.kept;
  }
  Changes changes;
  const Status done = in_transaction([&] {
    return journal::evict(database_.get(), options_, kept, std::chrono::system_clock::now(),
                          changes);
  });
  tell(done);
  if (!done) return;
  settle(changes);
  if (changes.untold > 0 && options_.say)
    options_.say(
        fmt::format("forgotten before they could be delivered: {} of the results", changes.untold));
  const std::lock_guard guard(lock_);
  counts_.evicted += static_cast<std::uint64_t>(-changes.results);
}

Queue::Counts Queue::counts() {
  const std::lock_guard guard(lock_);
  Counts now = counts_;
  now.waiting = waiting_.size();
  return now;
}

}  // namespace assay::journal
