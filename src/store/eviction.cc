#include "store/eviction.h"

#include <algorithm>
#include <unordered_set>

namespace assay::store {
namespace {

using Clock = std::chrono::steady_clock;

// What other processes add is seen this late, and counting takes this part of one core at most.
constexpr std::chrono::seconds kCountEvery{1};
constexpr int kCountShare = 50;

}  // namespace

Bytes stored_once(const std::vector<Use>& uses) {
  std::unordered_set<std::uint64_t> seen;
  Bytes sum;
  for (const Use& use : uses)
    if (seen.insert(use.inode).second) sum.count += use.stored.count;
  return sum;
}

void Evictor::make_room(Shelf& shelf, const std::string& spared) {
  if (quota_.count == 0) return;
  const bool is_due = Clock::now() >= next_count_.load();
  if (!is_due && shelf.used() <= quota_) return;
  const std::scoped_lock lock(mutex_);
  if (is_due) count_locked(shelf);
  evict_locked(shelf, spared);
}

void Evictor::count(Shelf& shelf) {
  if (quota_.count == 0) return;
  const std::scoped_lock lock(mutex_);
  count_locked(shelf);
}

void Evictor::count_locked(Shelf& shelf) {
  const auto start = Clock::now();
  oldest_ = shelf.uses();
  shelf.set_used(stored_once(oldest_));
  std::ranges::sort(oldest_, std::ranges::greater{}, &Use::last);
  const auto end = Clock::now();
  next_count_ = end + std::max<Clock::duration>(kCountEvery, (end - start) * kCountShare);
}

void Evictor::evict_locked(Shelf& shelf, const std::string& spared) {
  bool counted = false;
  while (shelf.used() > quota_) {
    if (oldest_.empty()) {
      if (counted) return;  // only what was just added is left
      count_locked(shelf);
      counted = true;
      continue;
    }
    const Use next = std::move(oldest_.back());
    oldest_.pop_back();
    if (next.id == spared || shelf.last_use(next.id) != next.last) continue;
    (void)shelf.remove(next.id);  // somebody else may have been faster
  }
}

void Evictor::expire(Shelf& shelf) {
  shelf.clean_up();
  if (timeout_.count() != 0) {
    const auto due = std::chrono::system_clock::now() - timeout_;
    for (const Use& use : shelf.uses())
      if (use.last < due && shelf.last_use(use.id) == use.last) (void)shelf.remove(use.id);
  }
  if (quota_.count == 0) return;
  const std::scoped_lock lock(mutex_);
  count_locked(shelf);
  evict_locked(shelf, {});
}

}  // namespace assay::store
