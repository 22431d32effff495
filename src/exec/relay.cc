#include "exec/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "os/cores.h"
#include "os/pipe_writing.h"
#include "os/thread.h"

namespace assay::exec {
namespace {

constexpr std::size_t kPortion = 64 << 10;
constexpr std::size_t kSplice = 1 << 20;
constexpr std::size_t kTidy = 4 << 20;  // so much that is gone may stay in front of the rest

// A reader that has gone must not end the daemon: the signal goes to the thread that writes.
void ignore_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

// Of our end alone: the other is another description of the same pipe.
void let_wait(int end, bool waits) {
  const int flags = ::fcntl(end, F_GETFL);
  (void)::fcntl(end, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

bool is_pipe(int fd) {
  struct stat file{};
  return ::fstat(fd, &file) == 0 && S_ISFIFO(file.st_mode);
}

bool has_hung_up(int terminal) {
  pollfd look{terminal, 0, 0};
  return ::poll(&look, 1, 0) > 0 && (look.revents & POLLHUP) != 0;
}

// How much the sink took; nothing: there is no reader any more.
std::optional<std::size_t> write_some(int sink, std::string_view bytes) {
  for (;;) {
    const ssize_t wrote = ::write(sink, bytes.data(), bytes.size());
    if (wrote >= 0) return static_cast<std::size_t>(wrote);
    if (os::takes_later(errno)) return 0;
    if (errno != EINTR) return std::nullopt;
  }
}

}  // namespace

std::uint64_t unread_in(int pipe) {
  int count = 0;
  return ::ioctl(pipe, FIONREAD, &count) == 0 && count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

Relay::Relay(Plan plan) : plan_(std::move(plan)), thread_([this] { work(); }) {}

Result<std::unique_ptr<Relay>> Relay::start(Plan plan) {
  try {
    return std::make_unique<Relay>(std::move(plan));
  } catch (const std::system_error& error) {  // of std::thread
    return system_error(error.code().value(), "start a relay");
  }
}

Relay::~Relay() {
  if (thread_.joinable()) thread_.join();
}

std::string Relay::finish() {
  if (thread_.joinable()) thread_.join();
  return std::move(kept_);
}

// Until it has begun it is about to.
bool Relay::is_at_work() const {
  const int id = id_.load(std::memory_order_relaxed);
  return id == 0 || os::would_go_on(id);
}

void Relay::work() {
  id_.store(::gettid(), std::memory_order_relaxed);
  ignore_signals();
  os::stay_on(plan_.cores);
  if (plan_.before_begin) plan_.before_begin(plan_);
  if (plan_.sink.is_open()) let_wait(plan_.sink.get(), false);
  has_pages_ = is_pipe(plan_.source.get());
  sink_hangs_up_ = plan_.sink.is_open() && ::isatty(plan_.sink.get()) == 1;
  buffer_.resize(kPortion);
  while (take()) {
  }
  end();
}

// Of a flood nothing is noted any more: its pages change hands, and nobody copies them. What does
// not fit goes the usual way. Only from a pipe: where a terminal has nothing, splice would wait for
// it and keep the sink locked meanwhile, so that its reader could not even be killed.
bool Relay::pass_pages() {
  const bool unnoted = plan_.transcript == nullptr || plan_.transcript->is_full();
  if (!flooding_ || !has_pages_ || !unnoted || kept_.size() < plan_.keep.count ||
      !plan_.sink.is_open())
    return false;
  const std::uint64_t left = plan_.limit ? plan_.limit->count - counts_.bytes : kSplice;
  if (!pending_.empty() || counts_.over_limit || left == 0) return false;
  const ssize_t moved =
      ::splice(plan_.source.get(), nullptr, plan_.sink.get(), nullptr,
               std::min<std::uint64_t>(left, kSplice), SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
  flooding_ = moved > 0;
  if (!flooding_) return false;
  counts_.bytes += static_cast<std::uint64_t>(moved);
  counts_.last_at = std::chrono::steady_clock::now();
  if (plan_.transcript != nullptr) plan_.transcript->count(static_cast<std::uint64_t>(moved));
  return true;
}

bool Relay::take() {
  if (pass_pages()) return true;
  if (!pending_.empty() && !wait()) return plan_.source.is_open();
  keep_hands_free();
  const ssize_t got = ::read(plan_.source.get(), buffer_.data(), buffer_.size());
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return !pending_.empty() || await_source();
  if (got <= 0) return false;  // a terminal ends with EIO when its last user has gone
  hear({buffer_.data(), static_cast<std::size_t>(got)});
  flooding_ = static_cast<std::size_t>(got) == buffer_.size();
  return plan_.source.is_open();
}

// A program may open its own end again, for reading, and take back what we were promised (before
// Linux 6.15 or so a write that fails is promise enough): with bytes in hand for the other one we
// would sleep, and nobody could say who kept whom waiting.
void Relay::keep_hands_free() {
  if (!has_pages_ || source_waits_ == pending_.empty()) return;
  source_waits_ = pending_.empty();
  let_wait(plan_.source.get(), source_waits_);
}

// A terminal has one side for all who read or type there, and some of them must not wait: then the
// read does not either.
bool Relay::await_source() const {
  pollfd source{plan_.source.get(), POLLIN, 0};
  return ::poll(&source, 1, -1) > 0;
}

// A reader that is slow keeps the writer going until the backlog is full.
bool Relay::wait() {
  const bool full = pending_.size() - flushed_ >= plan_.backlog.count;
  pollfd both[] = {{full ? -1 : plan_.source.get(), POLLIN, 0}, {plan_.sink.get(), POLLOUT, 0}};
  if (::poll(both, 2, -1) < 0) return false;
  if (both[1].revents != 0) flush(both[1].revents);
  return plan_.source.is_open() && both[0].revents != 0;
}

void Relay::hear(std::string_view bytes) {
  const std::uint64_t before = counts_.bytes;
  counts_.bytes += bytes.size();
  kept_.append(bytes.substr(0, plan_.keep.count - kept_.size()));
  if (plan_.limit && counts_.bytes > plan_.limit->count) {
    bytes = bytes.substr(0, plan_.limit->count - std::min(before, plan_.limit->count));
    if (!counts_.over_limit && plan_.over_limit) plan_.over_limit();
    counts_.over_limit = true;
  }
  if (reader_lost_ || bytes.empty()) return;
  counts_.last_at = std::chrono::steady_clock::now();
  if (plan_.transcript != nullptr) plan_.transcript->add(plan_.voice, bytes);
  if (plan_.sink.is_open()) pass_on(bytes);
}

void Relay::pass_on(std::string_view bytes) {
  if (sink_hangs_up_ && has_hung_up(plan_.sink.get())) return lose_reader(bytes.size());
  if (pending_.empty()) {
    const auto took = write_some(plan_.sink.get(), bytes);
    if (!took) return lose_reader(bytes.size());
    bytes.remove_prefix(*took);
  }
  pending_.append(bytes);
}

// A terminal whose program has gone takes no more, but to the writer it only says that it is full.
void Relay::flush(short sink_events) {
  if ((sink_events & POLLHUP) != 0) return lose_reader();
  const auto took = write_some(plan_.sink.get(), std::string_view(pending_).substr(flushed_));
  if (!took) return lose_reader();
  flushed_ += *took;
  if (flushed_ < pending_.size() && flushed_ < kTidy) return;
  pending_.erase(0, flushed_);
  flushed_ = 0;
}

void Relay::lose_reader(std::size_t undelivered) {
  counts_.unread = undelivered + pending_.size() - flushed_ + unread_in(plan_.sink.get());
  pending_.clear();
  flushed_ = 0;
  reader_lost_ = true;
  plan_.sink.reset();
  if (plan_.reader_gone == ReaderGone::Drain) return;
  if (plan_.before_break) plan_.before_break();
  plan_.source.reset();
}

// The rest goes out as the reader takes it.
void Relay::end() {
  plan_.source.reset();
  if (plan_.sink.is_open()) {
    counts_.unread = pending_.size() - flushed_ + unread_in(plan_.sink.get());
    while (!pending_.empty()) {
      pollfd sink{plan_.sink.get(), POLLOUT, 0};
      if (::poll(&sink, 1, -1) > 0) flush(sink.revents);
    }
  }
  if (plan_.sink.is_open() && plan_.before_end) plan_.before_end(plan_.sink.get());
  plan_.sink.reset();
}

}  // namespace assay::exec
