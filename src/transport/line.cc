#include "transport/line.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>

namespace assay::transport {
namespace {

constexpr unsigned kSittings = 64;  // in a row
constexpr unsigned kSteps = 16;  // pieces that came or went, requests that came with an earlier one
// Of a file: in one call the kernel sends for as long as the peer takes.
constexpr std::size_t kLargestStep = std::size_t{4} << 20U;

}  // namespace

using boost::asio::posix::stream_descriptor;

struct Line::Readiness {
  stream_descriptor& waiter;
  stream_descriptor::wait_type kind;

  static bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    // An error shows at the next system call.
    waiter.async_wait(kind, [waiting](boost::system::error_code) { waiting.resume(); });
  }
  static void await_resume() {}
};

void Line::Turn::await_suspend(std::coroutine_handle<> waiting) const {
  line_.steps_ = 0;
  boost::asio::post(line_.waiter_.get_executor(), [waiting] { waiting.resume(); });
}

Line::Line(boost::asio::io_context& io, std::unique_ptr<Visit> visit, Seats& seats,
           const Limits& limits)
    : visit_(std::move(visit)), waiter_(io), seats_(seats), limits_(limits) {}

Line::~Line() {
  leave_reactor();
}

std::unique_ptr<Visit> Line::release() {
  leave_reactor();
  return std::move(visit_);
}

void Line::join_reactor() {
  boost::system::error_code ignored;
  if (!waiter_.is_open()) waiter_.assign(visit_->socket(), ignored);
}

void Line::leave_reactor() {
  if (waiter_.is_open()) waiter_.release();
}

// A seat is free again while its request is handled, so that seats alone do not bound who keeps a
// thread: every so often one gets up.
bool Line::take_a_seat() {
  if (!seats_.any_for_us() || ++sittings_ > kSittings) return false;
  leave_reactor();
  steps_ = 0;
  return seats_.wait_for(visit_->socket());
}

bool Line::is_over_its_time() {
  return ++steps_ > kSteps;
}

Line::Readiness Line::readable() {
  join_reactor();
  steps_ = sittings_ = 0;
  return {waiter_, stream_descriptor::wait_read};
}
Line::Readiness Line::writable() {
  join_reactor();
  steps_ = 0;
  return {waiter_, stream_descriptor::wait_write};
}

Task<ssize_t> Line::receive(char* to, std::size_t most) {
  while (true) {
    const ssize_t got = ::recv(visit_->socket(), to, most, 0);
    if (got > 0) co_await before_more();
    if (got >= 0) co_return got;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) co_return -1;
    if (take_a_seat()) continue;
    co_await readable();
  }
}

Task<bool> Line::send(std::string_view head, std::string_view body, bool more) {
  const int flags = MSG_NOSIGNAL | (more ? MSG_MORE : 0);
  while (!head.empty() || !body.empty()) {
    std::array<iovec, 2> parts = {iovec{const_cast<char*>(head.data()), head.size()},
                                  iovec{const_cast<char*>(body.data()), body.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t sent = ::sendmsg(visit_->socket(), &message, flags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) co_return false;
    if (sent < 0) {
      co_await writable();
      continue;
    }
    visit_->expect(Phase::Writing, limits_.write);
    const std::size_t of_head = std::min(head.size(), static_cast<std::size_t>(sent));
    head.remove_prefix(of_head);
    body.remove_prefix(static_cast<std::size_t>(sent) - of_head);
    co_await Turn(*this, is_over_its_time());
  }
  co_return true;
}

Task<bool> Line::send_file(const FilePart& part) {
  auto at = static_cast<off_t>(part.offset);
  const auto end = static_cast<off_t>(part.offset + part.size);
  while (at < end) {
    const ssize_t sent = ::sendfile(visit_->socket(), part.file.get(), &at,
                                    std::min(static_cast<std::size_t>(end - at), kLargestStep));
    if (sent == 0) co_return false;  // the file became shorter: nobody may do that
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN) co_return false;
    if (sent < 0) {
      co_await writable();
      continue;
    }
    visit_->expect(Phase::Writing, limits_.write);
    co_await Turn(*this, is_over_its_time());
  }
  co_return true;
}

// Closing a socket with unread bytes resets it, and the reset may overtake our answer.
Task<bool> Line::linger() {
  constexpr std::size_t kMost = std::size_t{4} << 20U;
  ::shutdown(visit_->socket(), SHUT_WR);
  visit_->expect(Phase::Reading, std::chrono::seconds(2));
  std::array<char, 4096> nowhere{};
  for (std::size_t seen = 0; seen < kMost;) {
    const ssize_t got = co_await receive(nowhere.data(), nowhere.size());
    if (got <= 0) break;
    seen += static_cast<std::size_t>(got);
  }
  co_return true;
}

}  // namespace assay::transport
