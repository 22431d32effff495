#include "service/docket.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "service/names.h"
#include "store/id.h"

namespace assay::service {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::unexpected<Error> unknown(const std::string& id) {
  const bool is_good = is_good_name(id);
  return std::unexpected(Error{
      Fault::NotFound, 0, is_good ? fmt::format("no submission '{}'", id) : "no such submission"});
}

}  // namespace

Result<Judgings::Taken> Docket::take(JudgeOrder order, const Service& service) {
  std::string& id = order.submission.id;
  if (!is_good_name(id)) return invalid(fmt::format("a submissionId is {}", kGoodName));
  if (id.empty()) id = TRY(store::make_id());
  const std::lock_guard guard(lock_);
  forget_old();
  if (const auto found = entries_.find(id); found != entries_.end()) {
    if (found->second->judging->order().digest == order.digest)
      return Judgings::Taken{.judging = found->second->judging, .is_new = false};
    return std::unexpected(
        Error{Fault::Conflict, 0, fmt::format("submission '{}' exists and is another", id)});
  }
  if (refuses_ || counts_.queued >= options_.queue_limit) {
    ++counts_.refused;
    return std::unexpected(Error{Fault::Busy, 0, refuses_ ? kShuttingDown : kQueueFull});
  }
  auto entry = std::make_shared<Entry>();
  entry->cores = service.cores(order.priority);
  entry->cancellation = std::make_unique<judge::Cancellation>(*entry->cores);
  entry->judging = std::make_shared<Judging>(std::move(order));
  entries_.emplace(entry->judging->id(), entry);
  waiting_[entry->judging->order().priority].push_back(entry);
  ++open_;
  ++counts_.queued;
  ++counts_.accepted;
  work_to_do_.notify_one();
  return Judgings::Taken{.judging = entry->judging};
}

void Docket::leave_line(const EntryPtr& entry) {
  const auto level = waiting_.find(entry->judging->order().priority);
  CHECK(level != waiting_.end() && std::erase(level->second, entry) == 1);
  if (level->second.empty()) waiting_.erase(level);
  entry->stage = Entry::Stage::Begun;
  --counts_.queued;
  ++counts_.running;
}

Docket::EntryPtr Docket::next() {
  std::unique_lock held(lock_);
  work_to_do_.wait(held, [&] { return dismissed_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  EntryPtr entry = waiting_.begin()->second.front();
  leave_line(entry);
  return entry;
}

void Docket::close(const EntryPtr& entry, Bytes size) {
  const std::lock_guard guard(lock_);
  entry->stage = Entry::Stage::Over;
  entry->size = size;
  entry->over_at = SteadyClock::now();
  over_.push_back(entry);
  kept_.count += size.count;
  --counts_.running;
  ++counts_.finished;
  forget_old();
  if (--open_ == 0) all_over_.notify_all();
}

void Docket::forget_old() {
  const auto due = SteadyClock::now() - options_.keep_time;
  while (!over_.empty() &&
         (over_.size() > options_.keep_count || kept_.count > options_.keep_bytes.count ||
          over_.front()->over_at < due)) {
    const EntryPtr oldest = over_.front();
    over_.pop_front();
    kept_.count -= oldest->size.count;
    entries_.erase(oldest->judging->id());
  }
}

Result<std::shared_ptr<Judging>> Docket::find(const std::string& id) {
  const std::lock_guard guard(lock_);
  forget_old();
  const auto found = entries_.find(id);
  if (found == entries_.end()) return unknown(id);
  return found->second->judging;
}

Result<Docket::Stop> Docket::remove(const std::string& id) {
  const std::lock_guard guard(lock_);
  forget_old();
  const auto found = entries_.find(id);
  if (found == entries_.end()) return unknown(id);
  const EntryPtr entry = found->second;
  if (entry->stage == Entry::Stage::Over) {
    kept_.count -= entry->size.count;
    std::erase(over_, entry);
    entries_.erase(found);
    return Stop{};
  }
  ++counts_.cancelled;
  const bool has_begun = entry->stage == Entry::Stage::Begun;
  if (!has_begun) leave_line(entry);
  return Stop{entry, has_begun};
}

void Docket::refuse_more() {
  const std::lock_guard guard(lock_);
  refuses_ = true;
}

bool Docket::await_end(std::chrono::milliseconds patience) {
  std::unique_lock held(lock_);
  return all_over_.wait_for(held, patience, [&] { return open_ == 0; });
}

void Docket::await_end() {
  std::unique_lock held(lock_);
  all_over_.wait(held, [&] { return open_ == 0; });
}

std::vector<Docket::Stop> Docket::stop_all() {
  const std::lock_guard guard(lock_);
  std::vector<Stop> all;
  for (const auto& [id, entry] : entries_) {
    if (entry->stage == Entry::Stage::Over) continue;
    const bool has_begun = entry->stage == Entry::Stage::Begun;
    if (!has_begun) leave_line(entry);
    all.push_back({entry, has_begun});
  }
  return all;
}

void Docket::dismiss() {
  const std::lock_guard guard(lock_);
  dismissed_ = true;
  work_to_do_.notify_all();
}

JudgingSnapshot Docket::snapshot() {
  const std::lock_guard guard(lock_);
  JudgingSnapshot now = counts_;
  now.kept = over_.size();
  return now;
}

}  // namespace assay::service
