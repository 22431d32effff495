// Places that are lent to threads which run something themselves: judgings.
#include "service/desk.h"

namespace assay::service {

std::vector<std::vector<unsigned>> Desk::cores_of(const Ticket& lease) {
  std::vector<std::vector<unsigned>> cores;
  for (const Place& place : lease.places_)
    cores.push_back(place.cores);
  return cores;
}

TicketPtr Desk::borrow(int priority, const judge::CoreWish& wish,
                       const std::function<bool()>& given_up) {
  auto ticket = std::make_shared<Ticket>(nullptr, Submission{});
  ticket->is_lease_ = true;
  ticket->memory_ = wish.memory.count != 0 ? wish.memory : options_.default_memory;
  ticket->wanted_ = std::max(1U, wish.places);
  ticket->submission_.request.priority = priority;
  std::unique_lock held(lock_);
  ticket->stage_ = Stage::Waiting;
  waiting_[priority].push_back(ticket);
  ++counts_.queued;
  serve_head();
  lease_granted_.wait(held, [&] { return ticket->stage_ == Stage::Running || given_up(); });
  if (ticket->stage_ == Stage::Running) return ticket;
  remove_waiting(ticket);
  return nullptr;
}

void Desk::give_back(const TicketPtr& ticket) {
  release(ticket);
}

// Under the lock, so that nobody is between asking and waiting.
void Desk::look_again() {
  const std::lock_guard guard(lock_);
  lease_granted_.notify_all();
}

}  // namespace assay::service
