#include "held/server.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

namespace assay::held {
namespace {

constexpr std::size_t kMostBytes = 4096;  // of one request; what is more is read and forgotten

int milliseconds_until(std::chrono::steady_clock::time_point until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
}

Status poll_all(std::span<pollfd> waiting, int timeout_ms) {
  while (::poll(waiting.data(), waiting.size(), timeout_ms) < 0)
    if (errno != EINTR) return system_error("wait for a client");
  return {};
}

// An empty pipe takes a short text at once. A reader that has gone already wanted no more of it.
void write_and_close(os::OwnedFd pipe, std::string_view text) {
  (void)!::write(pipe.get(), text.data(), text.size());
}

// A client that closes early must not end us.
void ignore_broken_pipes() {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

Status Server::ask_once(Door door, bool& asked) {
  if (asked) return {};
  TRY_STATUS(doors_.ask(door));
  asked = true;
  return {};
}

// Opened for each answer, so that its reader sees the end. The last answer comes when the names are
// gone: who has it can be sure that there is nothing more to open.
Status Server::give_status() {
  status_asked_ = false;
  os::OwnedFd pipe = TRY(doors_.take(Door::Status));
  if (ending_) doors_.remove();
  if (unfetched_) write_and_close(std::move(pipe), status_lines(*unfetched_));
  unfetched_.reset();
  return {};
}

// Asked for again only after the next wait: its reader has not closed yet, and would get two.
Status Server::give_info() {
  info_asked_ = false;
  os::OwnedFd pipe = TRY(doors_.take(Door::Info));
  if (options_.info)
    write_and_close(std::move(pipe), options_.info(last_ ? *last_ : process_.look()));
  return {};
}

// Who fetches an answer may have written a request before: that comes first. Poll looks at one pipe
// after the other, and a client may have done both between two looks: given the answer before its
// own, it would find the second one behind it.
Result<Server::Event> Server::next_event(int wait, std::optional<Clock::time_point> until) {
  std::array<pollfd, 3> waiting{pollfd{wait, POLLIN, 0},
                                pollfd{status_asked_ ? doors_.answer(Door::Status) : -1, POLLIN, 0},
                                pollfd{info_asked_ ? doors_.answer(Door::Info) : -1, POLLIN, 0}};
  TRY_STATUS(poll_all(waiting, until ? milliseconds_until(*until) : -1));
  if (waiting[0].revents == 0 && waiting[1].revents != 0)
    TRY_STATUS(poll_all(std::span(waiting).first(1), 0));
  if (waiting[0].revents != 0) return Event::Request;
  if (waiting[1].revents != 0) TRY_STATUS(give_status());
  if (waiting[2].revents != 0) TRY_STATUS(give_info());
  return until && Clock::now() >= *until ? Event::TooLate : Event::Fetched;
}

Result<std::optional<Asked>> Server::hear(int wait) {
  std::string bytes;
  std::optional<Clock::time_point> until;
  if (options_.expire) until = Clock::now() + *options_.expire;
  for (;;) {
    const Event event = TRY(next_event(wait, until));
    if (event == Event::Fetched) continue;
    if (event == Event::TooLate && bytes.empty()) return std::nullopt;
    if (event == Event::TooLate) break;  // it does not close: what it has written counts
    std::array<char, kMostBytes> buffer;
    const ssize_t got = ::read(wait, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return system_error("read a request");
    if (got == 0) break;
    if (bytes.empty()) until = Clock::now() + options_.close_patience;
    if (bytes.size() < kMostBytes) bytes.append(buffer.data(), static_cast<std::size_t>(got));
    if (Clock::now() >= *until) break;
  }
  return read_request(bytes, options_.polarity);
}

Status Server::await_status_reader(Nanoseconds patience) {
  const Clock::time_point until = Clock::now() + patience;
  while (unfetched_ && TRY(next_event(-1, until)) != Event::TooLate) {
  }
  return {};
}

Status Server::offer(Reading reading) {
  last_ = unfetched_ = std::move(reading);
  TRY_STATUS(ask_once(Door::Status, status_asked_));
  TRY_STATUS(ask_once(Door::Info, info_asked_));
  return await_status_reader(options_.stand_still);
}

Result<Reading> Server::end(bool client_waits) {
  if (options_.before_termination) options_.before_termination();
  const Reading reading = process_.terminate();
  ending_ = true;
  options_.stand_still = options_.last_patience;
  if (client_waits) TRY_STATUS(offer(reading));
  doors_.remove();
  return reading;
}

Result<Reading> Server::serve() {
  ignore_broken_pipes();
  if (options_.info) TRY_STATUS(ask_once(Door::Info, info_asked_));
  os::OwnedFd wait = TRY(doors_.open(Door::Wait));
  for (;;) {
    const std::optional<Asked> asked = TRY(hear(wait.get()));
    // Nobody may find a reader there while we answer: its byte would be part of this request.
    if (asked != Asked::Nothing) wait.reset();
    if (!asked || *asked == Asked::Terminate) return end(asked.has_value());
    if (*asked != Asked::Nothing) TRY_STATUS(offer(process_.wait()));
    // After a client that wrote nothing the old one is closed last: the next may be in it already.
    wait = TRY(doors_.open(Door::Wait));
  }
}

}  // namespace assay::held
