#include "service/desk.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace assay::service {
namespace {

Error busy(const char* why) {
  return Error{Fault::Busy, 0, why};
}

}  // namespace

void Ticket::cancel() {
  desk_->cancel(shared_from_this());
}

void Ticket::tell(Results results) {
  // Whoever keeps the job keeps nothing of the request, nor what its functions hold: that may be
  // the keeper itself.
  Submission over = std::exchange(submission_, {});
  Done done = std::move(over.done);
  if (done) done(std::move(results));
}

Desk::Desk(std::unique_ptr<Engine> engine, const Options& options, Observer observer)
    : engine_(std::move(engine)),
      options_(options),
      observer_(std::move(observer)),
      places_(options) {
  CHECK(engine_ != nullptr);
}

// What is wrong with a request, or with the moment.
std::optional<Error> Desk::objection(const Ticket& ticket) const {
  const Submission& wish = ticket.submission_;
  if (counts_.draining) return busy(kShuttingDown);
  if (wish.skip_queue && streams_ >= options_.stream_limit) return busy(kQueueFull);
  if (finds_queue_full(ticket)) return busy(kQueueFull);
  return std::nullopt;
}

bool Desk::finds_queue_full(const Ticket& ticket) const {
  const bool will_wait = !ticket.submission_.skip_queue && !may_run_here(ticket);
  return will_wait && counts_.queued >= options_.queue_limit;
}

bool Desk::may_run_here(const Ticket& ticket) const {
  return ticket.submission_.run_here && !ticket.submission_.skip_queue && waiting_.empty() &&
         places_.has_room_for(ticket.memory_);
}

Desk::Fate Desk::turn_away(const TicketPtr& ticket, Error why) {
  {
    const std::lock_guard guard(lock_);
    ++counts_.refused;
    ++counts_.failed;
  }
  ticket->tell(std::unexpected(std::move(why)));
  return Fate::Refused;
}

Desk::Fate Desk::admit(const TicketPtr& ticket) {
  const Submission& wish = ticket->submission_;
  if (Status fine = engine_->check(wish.request, wish.on_streams != nullptr); !fine)
    return turn_away(ticket, std::move(fine).error());
  ticket->memory_ = memory_of(wish.request, options_.default_memory);
  std::vector<TicketPtr> gone;
  std::optional<Error> why;
  Fate fate = Fate::Refused;
  {
    const std::lock_guard guard(lock_);
    if (finds_queue_full(*ticket)) gone = take_the_gone();  // the living do not suffer for them
    why = objection(*ticket);
    if (!why) fate = accept(ticket);
  }
  refuse_all(gone, kCancelled);
  return why ? turn_away(ticket, *std::move(why)) : fate;
}

Desk::Fate Desk::accept(const TicketPtr& ticket) {
  ++counts_.accepted;
  ++open_;
  if (ticket->submission_.skip_queue) {
    ++streams_;
    places_.take_memory(ticket->memory_);
    start(ticket);
    return Fate::RunApart;
  }
  if (may_run_here(*ticket)) {
    ticket->places_ = places_.take(ticket->memory_);
    start(ticket);
    return Fate::RunHere;
  }
  ticket->stage_ = Stage::Waiting;
  waiting_[ticket->submission_.request.priority].push_back(ticket);
  ++counts_.queued;
  serve_head();  // without room the next one to end does that
  return Fate::Wait;
}

void Desk::start(const TicketPtr& ticket) {
  ticket->stage_ = Stage::Running;
  running_.push_back(ticket);
}

bool Desk::head_can_start() const {
  if (waiting_.empty()) return false;
  const Ticket& head = *waiting_.begin()->second.front();
  return places_.has_room_for(head.memory_, head.wanted_);
}

// Whoever waits for a lease is a thread already: it gets its place here. Requests need a worker.
void Desk::serve_head() {
  while (head_can_start()) {
    if (!waiting_.begin()->second.front()->is_lease_) return work_to_do_.notify_one();
    take_head();
    lease_granted_.notify_all();
  }
}

// The head goes first even when a smaller one behind it would fit: otherwise large requests starve.
TicketPtr Desk::take_head() {
  auto first = waiting_.begin();
  TicketPtr ticket = std::move(first->second.front());
  first->second.pop_front();
  if (first->second.empty()) waiting_.erase(first);
  --counts_.queued;
  ticket->places_ = places_.take(ticket->memory_, ticket->wanted_);
  start(ticket);
  return ticket;
}

void Desk::work() {
  std::unique_lock held(lock_);
  while (true) {
    work_to_do_.wait(held, [&] { return dismissed_ || head_can_start(); });
    if (dismissed_) return;
    const TicketPtr ticket = take_head();  // no lease: those never stay at the head while they fit
    serve_head();
    held.unlock();
    run(ticket);
    held.lock();
  }
}

void Desk::run(const TicketPtr& ticket) {
  finish(ticket, run_engine(*ticket));
}

void Desk::fail(const TicketPtr& ticket, const Error& error) {
  finish(ticket, std::unexpected(error));
}

void Desk::finish(const TicketPtr& ticket, Results results) {
  if (results && observer_) {
    for (const exec::CommandResult& result : *results)
      observer_(result);
  }
  const bool failed = !results;
  release(ticket);  // before the answer is written: the next one may start meanwhile
  ticket->tell(std::move(results));
  std::unique_lock held(lock_);
  ++counts_.finished;
  if (failed) ++counts_.failed;
  close_ticket(held);
}

void Desk::release(const TicketPtr& ticket) {
  const std::lock_guard guard(lock_);
  if (!ticket->places_.empty()) {
    places_.give_back(ticket->places_, ticket->memory_);
  } else {
    places_.give_back_memory(ticket->memory_);
    --streams_;
  }
  ticket->stage_ = Stage::Over;
  std::erase(running_, ticket);
  serve_head();
}

void Desk::close_ticket(std::unique_lock<std::mutex>& held) {
  CHECK(held.owns_lock() && open_ > 0);
  if (--open_ == 0) something_ended_.notify_all();
}

void Desk::refuse(const TicketPtr& ticket, Error why) {
  ticket->tell(std::unexpected(std::move(why)));
  std::unique_lock held(lock_);
  ++counts_.cancelled;
  ++counts_.failed;
  close_ticket(held);
}

void Desk::refuse_all(const std::vector<TicketPtr>& tickets, const char* why) {
  for (const TicketPtr& ticket : tickets)
    refuse(ticket, busy(why));
}

void Desk::remove_waiting(const TicketPtr& ticket) {
  const auto level = waiting_.find(ticket->submission_.request.priority);
  CHECK(level != waiting_.end() && std::erase(level->second, ticket) == 1);
  if (level->second.empty()) waiting_.erase(level);
  --counts_.queued;
  ticket->stage_ = Stage::Over;
  serve_head();  // what stood behind it may be smaller
}

void Desk::cancel(const TicketPtr& ticket) {
  {
    const std::lock_guard guard(lock_);
    if (ticket->stage_ == Stage::Running) {
      if (!std::exchange(ticket->cancelled_, true)) ++counts_.cancelled;
      ticket->control_.cancel();
    }
    if (ticket->stage_ != Stage::Waiting) return;
    remove_waiting(ticket);
  }
  refuse(ticket, busy(kCancelled));
}

void Desk::close() {
  const std::lock_guard guard(lock_);
  counts_.draining = true;
}

// Asked of each, in their order.
std::vector<TicketPtr> Desk::take_waiting(std::move_only_function<bool(const Ticket&)> leaves) {
  std::vector<TicketPtr> all;
  for (auto& [priority, line] : waiting_) {
    for (TicketPtr& ticket : line) {
      if (!leaves(*ticket)) continue;
      ticket->stage_ = Stage::Over;
      --counts_.queued;
      all.push_back(std::move(ticket));
    }
    std::erase(line, nullptr);
  }
  std::erase_if(waiting_, [](const auto& level) { return level.second.empty(); });
  serve_head();
  return all;
}

void Desk::finish_all(std::chrono::milliseconds patience) {
  std::unique_lock held(lock_);
  something_ended_.wait_for(held, patience, [&] { return open_ == 0; });
  // Leases stay in line: what they are for ends by itself, or is ended by whoever began it.
  const std::vector<TicketPtr> never_started =
      take_waiting([](const Ticket& ticket) { return !ticket.is_lease_; });
  for (const TicketPtr& ticket : running_)
    ticket->control_.cancel(sandbox::CutOff::Shutdown);
  held.unlock();
  refuse_all(never_started, kShuttingDown);
  held.lock();
  something_ended_.wait(held, [&] { return open_ == 0; });
}

void Desk::dismiss_workers() {
  const std::lock_guard guard(lock_);
  dismissed_ = true;
  work_to_do_.notify_all();
}

Snapshot Desk::snapshot() {
  const std::lock_guard guard(lock_);
  Snapshot now = counts_;
  now.running = running_.size();
  now.workers = places_.count();
  now.memory_promised = places_.promised();
  return now;
}

std::size_t Desk::places() {
  return places_.count();
}

}  // namespace assay::service
