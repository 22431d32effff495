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

// A test of a problem that came with the order is a few bytes there, and some hundred here.
Bytes size_in_memory(const JudgeOrder& order) {
  if (!order.problem_id.empty()) return order.size;
  return {order.size.count + order.problem->tests.capacity() * sizeof(judge::ProblemTest) +
          order.problem->subtasks.capacity() * sizeof(judge::Subtask)};
}

}  // namespace

Error is_another(const std::string& id) {
  return {Fault::Conflict, 0, fmt::format("submission '{}' exists and is another", id)};
}

Docket::EntryPtr Docket::add(JudgeOrder order, const Service& service,
                             Judging::Clock::time_point received_at) {
  auto entry = std::make_shared<Entry>();
  entry->cores = service.cores(order.priority);
  entry->order_size = size_in_memory(order);
  ordered_.count += entry->order_size.count;
  entry->cancellation = std::make_unique<judge::Cancellation>(*entry->cores);
  entry->judging = std::make_shared<Judging>(std::move(order), received_at);
  entry->stage = Entry::Stage::Held;
  entries_.emplace(entry->judging->id(), entry);
  ++open_;
  ++counts_.queued;
  return entry;
}

void Docket::give_back(Entry& entry) {
  ordered_.count -= std::exchange(entry.order_size, {}).count;
}

void Docket::put_in_line(const EntryPtr& entry) {
  entry->stage = Entry::Stage::Waiting;
  waiting_[entry->judging->order().priority].push_back(entry);
  work_to_do_.notify_one();
}

Result<Docket::Taken> Docket::take(JudgeOrder order, const Service& service, Ledger::Draft* draft) {
  const std::string& id = order.submission.id;
  const std::lock_guard guard(lock_);
  forget_old();
  if (const auto found = entries_.find(id); found != entries_.end()) {
    if (found->second->judging->order().digest == order.digest)
      return Taken{.entry = found->second, .is_new = false};
    return std::unexpected(is_another(id));
  }
  if (refuses_ || counts_.queued >= options_.queue_limit) {
    ++counts_.refused;
    return std::unexpected(Error{Fault::Busy, 0, refuses_ ? kShuttingDown : kQueueFull});
  }
  // Not only their number: a thousand short requests may each have named large files.
  if (ordered_.count != 0 &&
      ordered_.count + size_in_memory(order).count > options_.order_bytes.count) {
    ++counts_.refused;
    return std::unexpected(Error{Fault::Busy, 0, kTooManyBytes});
  }
  const bool is_held = draft != nullptr && !order.waits;
  EntryPtr entry = add(std::move(order), service, Judging::Clock::now());
  ++counts_.accepted;
  if (draft != nullptr) {
    entry->key = draft->key();
    entry->is_recorded = draft->is_kept();
    // Under our lock: whoever removes it from the journal comes after this.
    entry->recorded = draft->write(entry->judging->received_at());
  }
  if (!is_held) put_in_line(entry);
  return Taken{.entry = std::move(entry)};
}

void Docket::enter_line(const EntryPtr& entry) {
  const std::lock_guard guard(lock_);
  if (entry->stage == Entry::Stage::Held) put_in_line(entry);  // else it was stopped meanwhile
}

bool Docket::withdraw(const EntryPtr& entry) {
  const std::lock_guard guard(lock_);
  if (entry->stage != Entry::Stage::Held) return false;
  entry->stage = Entry::Stage::Over;
  entries_.erase(entry->judging->id());
  give_back(*entry);
  --counts_.queued;
  ++counts_.refused;
  if (--open_ == 0) all_over_.notify_all();
  return true;
}

Docket::EntryPtr Docket::restore(JudgeOrder order, const Service& service,
                                 const Ledger::Unfinished& old, bool in_line) {
  const std::lock_guard guard(lock_);
  EntryPtr entry = add(std::move(order), service, old.received_at);
  entry->key = old.key;
  entry->is_recorded = true;
  ++counts_.resumed;
  put_in_line(entry);
  if (!in_line) leave_line(entry);
  return entry;
}

bool Docket::is_suspended(const EntryPtr& entry) {
  const std::lock_guard guard(lock_);
  return entry->is_suspended;
}

void Docket::record(const EntryPtr& entry, journal::Finished row) {
  const std::lock_guard guard(lock_);
  if (!entry->is_removed) ledger_->finish(std::move(row));
}

// It counts as running until it is closed.
void Docket::leave_line(const EntryPtr& entry) {
  if (entry->stage == Entry::Stage::Waiting) {
    const auto level = waiting_.find(entry->judging->order().priority);
    CHECK(level != waiting_.end() && std::erase(level->second, entry) == 1);
    if (level->second.empty()) waiting_.erase(level);
  }
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
  give_back(*entry);
  if (!entry->is_forgotten) {
    over_.push_back(entry);
    kept_.count += size.count;
  }
  --counts_.running;
  ++counts_.finished;
  forget_old();
}

void Docket::told() {
  const std::lock_guard guard(lock_);
  if (--open_ == 0) all_over_.notify_all();
}

void Docket::forget_old() {
  const auto due = SteadyClock::now() - options_.keep_time;
  while (!over_.empty() && (over_.size() > options_.keep_count ||
                            (over_.size() > 1 && kept_.count > options_.keep_bytes.count) ||
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
  entry->is_removed = true;
  Stop stop;
  if (entry->key != 0) stop.removed = ledger_->remove(entry->key);
  if (entry->stage == Entry::Stage::Over) {
    kept_.count -= entry->size.count;
    std::erase(over_, entry);
    entries_.erase(found);
    return stop;
  }
  // Who was told the result may be here before close(): there is nothing to stop, nor to keep.
  if (entry->judging->view().result != nullptr) {
    entry->is_forgotten = true;
    entries_.erase(found);
    return stop;
  }
  ++counts_.cancelled;
  stop.entry = entry;
  stop.has_begun = entry->stage == Entry::Stage::Begun;
  if (!stop.has_begun) leave_line(entry);
  return stop;
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
    // One with a result is about to be written down.
    if (entry->stage == Entry::Stage::Over || entry->judging->view().result != nullptr) continue;
    const bool has_begun = entry->stage == Entry::Stage::Begun;
    if (!has_begun) leave_line(entry);
    // Of those that were never written down nobody will ask.
    entry->is_suspended = entry->is_recorded && !entry->is_removed;
    entry->is_removed = entry->is_removed || !entry->is_suspended;
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
