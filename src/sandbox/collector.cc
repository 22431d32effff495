#include "sandbox/collector.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "os/file.h"

namespace assay::sandbox {
namespace {

constexpr int kPipeSize = 1 << 20;
constexpr std::size_t kPortion = 4096;  // PIPE_BUF: what a writable pipe takes without blocking
constexpr int kMostPortions = 64;  // per visit, so that a flood does not keep us from the clock

}  // namespace

Result<Collector> Collector::open(const Collect& target, std::optional<Bytes> limit) {
  CHECK(target.overflow == nullptr || (target.text != nullptr && target.sink < 0));
  Collector collector;
  collector.target_ = target;
  collector.limit_ = limit;
  collector.pipe_ = TRY(os::make_open_pipe());
  const int reader = collector.pipe_.read_end.get();
  // Only our end: O_NONBLOCK belongs to the open file, and the two ends of a pipe are two of those.
  if (::fcntl(reader, F_SETFL, O_NONBLOCK) < 0) return system_error("set up a pipe");
  struct stat sink{};
  const bool known = target.sink >= 0 && ::fstat(target.sink, &sink) == 0;
  collector.sink_is_file_ =
      known && (S_ISREG(sink.st_mode) || (S_ISCHR(sink.st_mode) && ::isatty(target.sink) == 0));
  return collector;
}

void Collector::keep(const char* bytes, std::size_t size) {
  const std::uint64_t room = limit_ ? limit_->count - std::min(limit_->count, facts_.bytes) : ~0ULL;
  if (size > room) facts_.over_limit = true;
  const std::size_t kept = static_cast<std::size_t>(std::min<std::uint64_t>(size, room));
  facts_.bytes += kept;
  if (target_.overflow != nullptr && target_.text->size() + kept > target_.most_text.count)
    move_to_file();
  if (target_.text != nullptr) target_.text->append(bytes, kept);
  if (target_.sink < 0 || broken_ != 0 || kept == 0) return;
  if (!sink_is_file_)
    pending_.append(bytes, kept);
  else if (const Status written = os::write_all(target_.sink, {bytes, kept}); !written)
    broken_ = written.error().code;
}

// What follows goes there, too, and none of it to the text.
void Collector::move_to_file() {
  os::OwnedFd* const overflow = std::exchange(target_.overflow, nullptr);
  std::string* const text = std::exchange(target_.text, nullptr);
  auto file = os::memory("assay-output");
  const Status moved =
      file ? os::write_all(file->get(), *text) : Status(std::unexpected(file.error()));
  text->clear();
  if (!moved) {
    broken_ = moved.error().code;
    return;
  }
  *overflow = *std::move(file);
  target_.sink = overflow->get();
  sink_is_file_ = true;
}

bool Collector::drain() {
  std::array<char, 65536> buffer;
  for (int portion = 0; portion < kMostPortions && pipe_.read_end.is_open(); ++portion) {
    const ssize_t got = ::read(pipe_.read_end.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return false;
    if (got <= 0) {
      if (got < 0) broken_ = errno;
      pipe_.read_end.reset();
      return false;
    }
    heard_ += static_cast<std::size_t>(got);
    keep(buffer.data(), static_cast<std::size_t>(got));
    if (breaks_limit()) return false;
    if (portion == 0 && static_cast<std::size_t>(got) >= buffer.size() / 4) give_room();
  }
  return pipe_.read_end.is_open();
}

// A full pipe shows a busy writer. Each of its writes has a page of its own, so that one is full
// with a quarter of what it can hold. A quiet writer keeps the small pipe.
void Collector::give_room() {
  if (!std::exchange(has_room_, true)) (void)::fcntl(pipe_.read_end.get(), F_SETPIPE_SZ, kPipeSize);
}

bool Collector::flush_portion() {
  pollfd room{target_.sink, POLLOUT, 0};
  if (::poll(&room, 1, 0) != 1) return false;
  const ssize_t wrote = ::write(target_.sink, pending_.data() + flushed_,
                                std::min(pending_.size() - flushed_, kPortion));
  if (wrote < 0 && errno == EINTR) return true;
  if (wrote < 0 && errno == EAGAIN) return false;
  if (wrote < 0) {
    broken_ = errno;
    flushed_ = pending_.size();
    return false;
  }
  flushed_ += static_cast<std::size_t>(wrote);
  return flushed_ < pending_.size();
}

void Collector::flush() {
  for (int portion = 0; portion < kMostPortions && flush_portion(); ++portion) {
  }
  if (flushed_ < pending_.size()) return;
  pending_.clear();
  flushed_ = 0;
}

Status Collector::finish() {
  // Every writer is dead, so what is not there now will never come, even if some copy of the other
  // end is still open.
  while (!breaks_limit() && drain()) {
  }
  pipe_.read_end.reset();
  if (broken_ == 0 && !pending_.empty()) {
    const Status written =
        os::write_all(target_.sink, std::string_view(pending_).substr(std::exchange(flushed_, 0)));
    if (!written) broken_ = written.error().code;
  }
  // When the reader of our output has gone, that is no fact about the program. Anything else means
  // that what it wrote is not known, and nobody may judge it by what is left.
  if (broken_ == 0 || broken_ == EPIPE || broken_ == ECONNRESET) return {};
  return system_error(broken_, "keep what the program wrote");
}

}  // namespace assay::sandbox
