#include "held/ferry.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "held/flag.h"
#include "os/pipe_writing.h"

namespace assay::held {
namespace {

using Buffer = std::array<char, 65536>;

constexpr int kBetweenEndsMs = 20;

// A client that has gone is an error of write() for the thread that writes, not the end of us.
void ignore_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

enum class Got { Bytes, End, Stopped };

Got read_some(int source, const Flag& until, Buffer& buffer, std::string_view& bytes) {
  while (until.await(source, POLLIN)) {
    const ssize_t got = ::read(source, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Got::End;
    bytes = {buffer.data(), static_cast<std::size_t>(got)};
    return Got::Bytes;
  }
  return Got::Stopped;
}

// Writes what it can and takes it off `bytes`; false when nobody reads any more or `until` came.
bool write_some(int sink, const Flag& until, std::string_view& bytes) {
  if (!until.await(sink, POLLOUT)) return false;
  const ssize_t wrote = ::write(sink, bytes.data(), bytes.size());
  if (wrote < 0) return errno == EINTR || os::takes_later(errno);
  bytes.remove_prefix(static_cast<std::size_t>(wrote));
  return true;
}

bool has_reader(int sink) {
  pollfd look{sink, 0, 0};
  return ::poll(&look, 1, 0) == 0;
}

}  // namespace

class Ferry::Work {
 public:
  Work(Doors& doors, Plan plan, Flag stop, Flag discard)
      : doors_(doors),
        plan_(std::move(plan)),
        stop_(std::move(stop)),
        discard_(std::move(discard)),
        downward_([this] { carry_down(); }),
        upward_([this] { carry_up(); }) {}
  ~Work() {
    stop_.raise();
    discard_.raise();
    downward_.join();
    upward_.join();
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  void discard() const { discard_.raise(); }

 private:
  void carry_down();
  void carry_up();
  bool meet_first_reader();
  bool await_reader();
  void deliver(std::string_view bytes);
  void deliver_end();
  std::string_view within_limit(std::string_view bytes);

  Doors& doors_;
  Plan plan_;
  Flag stop_, discard_;
  os::OwnedFd upward_sink_;
  bool reader_asked_ = false;
  std::uint64_t carried_up_ = 0;
  std::thread downward_, upward_;  // last: they use all of the above
};

// The first client that closes ends the program's input. Whatever comes later is read and thrown
// away: a client must not hang, nor die, because a program has ended.
void Ferry::Work::carry_down() {
  ignore_signals();
  Buffer buffer;
  std::string_view bytes;
  auto source = doors_.open(Door::Downward);
  while (source) {
    const Got got = read_some(source->get(), stop_, buffer, bytes);
    if (got == Got::Stopped) return;
    if (got == Got::End) {
      plan_.to_program.reset();
      // Opened anew: poll() would report the end of the old one for ever.
      source = doors_.open(Door::Downward);
      continue;
    }
    while (!bytes.empty() && plan_.to_program.is_open())
      if (!write_some(plan_.to_program.get(), stop_, bytes)) plan_.to_program.reset();
  }
}

// The old sink stays open until there is a new one: what a client left in it is for the next.
bool Ferry::Work::await_reader() {
  if (!reader_asked_ && !doors_.ask(Door::Upward)) return false;
  reader_asked_ = true;
  if (!discard_.await(doors_.answer(Door::Upward), POLLIN)) return false;
  reader_asked_ = false;
  auto sink = doors_.take(Door::Upward);
  if (!sink) return false;
  upward_sink_ = std::move(*sink);
  return true;
}

void Ferry::Work::deliver(std::string_view bytes) {
  while (!bytes.empty() && !discard_.is_raised()) {
    if (upward_sink_.is_open() && write_some(upward_sink_.get(), discard_, bytes)) continue;
    if (!await_reader()) return;
  }
}

// Every client finds the end, however late it comes; the same one, though, may take a moment to
// close.
void Ferry::Work::deliver_end() {
  if (!upward_sink_.is_open() || !has_reader(upward_sink_.get()))
    if (!await_reader()) return;
  do {
    upward_sink_.reset();
  } while (discard_.await(-1, 0, kBetweenEndsMs) && await_reader());
}

std::string_view Ferry::Work::within_limit(std::string_view bytes) {
  const std::uint64_t before = carried_up_;
  carried_up_ += bytes.size();
  if (!plan_.limit || carried_up_ <= plan_.limit->count) return bytes;
  if (before <= plan_.limit->count) plan_.over_limit();
  return bytes.substr(0, plan_.limit->count - std::min(before, plan_.limit->count));
}

// A client may wait in open() before the program has anything to say.
bool Ferry::Work::meet_first_reader() {
  if (!doors_.ask(Door::Upward)) return false;
  reader_asked_ = true;
  std::array<pollfd, 3> waiting{pollfd{stop_.descriptor(), POLLIN, 0},
                                pollfd{plan_.from_program.get(), POLLIN, 0},
                                pollfd{doors_.answer(Door::Upward), POLLIN, 0}};
  while (::poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
  }
  if (waiting[2].revents != 0) (void)await_reader();
  return waiting[0].revents == 0;
}

void Ferry::Work::carry_up() {
  ignore_signals();
  Buffer buffer;
  std::string_view bytes;
  if (!meet_first_reader()) return;
  for (;;) {
    const Got got = read_some(plan_.from_program.get(), stop_, buffer, bytes);
    if (got == Got::Stopped) return;
    if (got == Got::End && plan_.before_end) plan_.before_end();
    if (got == Got::End) return deliver_end();
    deliver(within_limit(bytes));
  }
}

Result<Ferry> Ferry::start(Doors& doors, Plan plan) {
  Flag stop = TRY(Flag::make());
  Flag discard = TRY(Flag::make());
  return Ferry(std::make_unique<Work>(doors, std::move(plan), std::move(stop), std::move(discard)));
}

Ferry::Ferry(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Ferry::Ferry(Ferry&&) noexcept = default;
Ferry::~Ferry() = default;

void Ferry::discard_output() {
  work_->discard();
}

}  // namespace assay::held
