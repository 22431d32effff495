// Clients that hang up: what they asked for is for nobody any more.
#include <poll.h>

#include <algorithm>
#include <utility>

#include "service/desk.h"

namespace assay::service {
namespace {

Error cancelled() {
  return Error{Fault::Busy, 0, kCancelled};
}

// Whether whoever asked has gone: nobody would read the answer.
pollfd line_to(int socket) {
  return {.fd = socket, .events = POLLRDHUP, .revents = 0};
}
bool is_dead(const pollfd& line) {
  return (line.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}
bool has_hung_up(int socket) {
  if (socket < 0) return false;
  pollfd line = line_to(socket);
  return ::poll(&line, 1, 0) > 0 && is_dead(line);
}

bool was_killed(const Results& results) {
  return results && std::ranges::any_of(*results, [](const exec::CommandResult& result) {
           return result.status == exec::RunStatus::Signalled;
         });
}

}  // namespace

Results Desk::run_engine(Ticket& ticket) {
  const Submission& wish = ticket.submission_;
  if (has_hung_up(wish.hangup)) {
    note_cancelled(ticket);
    return std::unexpected(cancelled());
  }
  if (wish.hangup >= 0) ticket.control_.watch_hangup(wish.hangup);
  Results results = engine_->run(
      wish.request, exec::Session{.control = &ticket.control_,
                                  .cores = ticket.places_.empty() ? std::vector<unsigned>{}
                                                                  : ticket.places_.front().cores,
                                  .on_streams = wish.on_streams});
  if (was_killed(results) && has_hung_up(wish.hangup)) note_cancelled(ticket);
  return results;
}

void Desk::note_cancelled(Ticket& ticket) {
  const std::lock_guard guard(lock_);
  if (!std::exchange(ticket.cancelled_, true)) ++counts_.cancelled;
}

// Under the lock: the sockets are lent to us only as long as their requests are in line.
std::vector<TicketPtr> Desk::take_the_gone() {
  std::vector<pollfd> lines;
  for (const auto& [priority, line] : waiting_)
    for (const TicketPtr& ticket : line)
      if (ticket->submission_.hangup >= 0) lines.push_back(line_to(ticket->submission_.hangup));
  if (lines.empty() || ::poll(lines.data(), lines.size(), 0) <= 0) return {};
  return take_waiting([next = lines.cbegin()](const Ticket& ticket) mutable {
    return ticket.submission_.hangup >= 0 && is_dead(*next++);
  });
}

void Desk::dismiss_the_gone() {
  std::vector<TicketPtr> gone;
  {
    const std::lock_guard guard(lock_);
    gone = take_the_gone();
  }
  refuse_all(gone, kCancelled);
}

}  // namespace assay::service
