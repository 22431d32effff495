#include "exec/fifo.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "exec/relay.h"

namespace assay::exec {
namespace {

constexpr int kPipeSize = 1 << 20;

// A directory that only we can enter, gone again before anybody has the FIFO.
Result<os::OwnedFd> make_in(const std::string& place) {
  std::string directory = place + "/assay-fifo-XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr)
    return system_error(fmt::format("make a directory in '{}'", place));
  const std::string name = directory + "/f";
  Result<os::OwnedFd> made;
  if (::mkfifo(name.c_str(), 0600) < 0 || ::chmod(name.c_str(), 0666) < 0)
    made = system_error(fmt::format("make a FIFO in '{}'", place));
  else
    made = os::open(name, O_PATH | O_NOFOLLOW);
  (void)::unlink(name.c_str());
  (void)::rmdir(directory.c_str());
  return made;
}

}  // namespace

std::string fifo_path(unsigned descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

Result<Fifo> Fifo::make() {
  std::error_code none;
  auto made = make_in(std::filesystem::temp_directory_path(none));
  if (!made) made = make_in("/dev/shm");
  if (!made) return std::unexpected(std::move(made).error());
  return Fifo(*std::move(made));
}

Result<os::OwnedFd> Fifo::share() const {
  return os::duplicate(path_.get());
}

Result<os::OwnedFd> Fifo::open(int flags) const {
  return os::open(fmt::format("/proc/self/fd/{}", path_.get()), flags);
}

Result<FifoSource> FifoSource::open(Fifo fifo) {
  os::OwnedFd end = TRY(fifo.open(O_RDONLY | O_NONBLOCK));
  (void)::fcntl(end.get(), F_SETPIPE_SZ, kPipeSize);  // a matter of comfort only
  return FifoSource(std::move(fifo), std::move(end));
}

// A FIFO that was opened without waiting is not at its end for poll before its first writer came
// and went; for read it is.
os::OwnedFd FifoSource::await_writer() {
  pollfd source{end_.get(), POLLIN, 0};
  while (::poll(&source, 1, -1) < 0 && errno == EINTR) {
  }
  (void)::fcntl(end_.get(), F_SETFL, ::fcntl(end_.get(), F_GETFL) & ~O_NONBLOCK);
  return std::move(end_);
}

// One that comes and goes. Where nobody reads any more it fails, and nobody waits.
void FifoSource::writer_has_gone() const {
  (void)fifo_.open(O_WRONLY | O_NONBLOCK);
}

Result<os::OwnedFd> FifoSink::await_reader() {
  auto end = fifo_.open(O_WRONLY);
  const std::lock_guard lock(mutex_);
  opened_ = true;
  in_its_place_.reset();
  if (end) (void)::fcntl(end->get(), F_SETPIPE_SZ, kPipeSize);
  return end;
}

std::uint64_t FifoSink::unheard(int source) {
  const std::lock_guard lock(mutex_);
  return opened_ ? 0 : unread_in(source);
}

void FifoSink::reader_has_gone() {
  const std::lock_guard lock(mutex_);
  if (opened_ || in_its_place_.is_open()) return;
  if (auto end = fifo_.open(O_RDONLY | O_NONBLOCK)) in_its_place_ = *std::move(end);
}

}  // namespace assay::exec
