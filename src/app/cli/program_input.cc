#include "app/cli/program_input.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "app/cli/unprivileged.h"
#include "os/file.h"

namespace assay::cli {
namespace {

// No more than PIPE_BUF, so that a pipe takes all of it or nothing, and one slot of a pipe: a pipe
// of one slot is writable when the reader has read it empty.
constexpr std::size_t kPage = 4096;
// A page at a time costs a switch of threads each, which the program's own time would show.
constexpr std::size_t kMuch = 64 << 10;

bool is_stream_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

// By the program, once it has opened it again. That of a plain user may be that user to the kernel,
// and an owner gets whatever right it wants; that of root is at most nobody.
bool could_be_written(int fd, const struct stat& file) {
  const uid_t us = ::geteuid();
  if ((file.st_mode & S_IWOTH) != 0 || file.st_uid == (us == 0 ? kNobody : us)) return true;
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  return us != 0 && ::faccessat(AT_FDCWD, name.c_str(), W_OK, AT_EACCESS) == 0;
}

std::size_t unread_in(int pipe) {
  int count = 0;
  return ::ioctl(pipe, FIONREAD, &count) == 0 && count > 0 ? static_cast<std::size_t>(count) : 0;
}

void ignore_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

bool is_null_device(const struct stat& file) {
  return S_ISCHR(file.st_mode) && file.st_rdev == ::makedev(1, 3);
}

Result<InputWay> input_way(int fd, const std::string& name) {
  struct stat found{};
  if (::fstat(fd, &found) < 0) return system_error("look at " + name);
  if (S_ISDIR(found.st_mode)) return invalid(name + " is a directory, not input for a program");
  if (::isatty(fd) == 1)
    return invalid(name + " is a terminal, which no program gets: it could type into it");
  if (is_null_device(found)) return InputWay::AsItIs;
  if (!S_ISREG(found.st_mode)) return InputWay::Relayed;
  const bool open_for_writing = (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
  return open_for_writing || could_be_written(fd, found) ? InputWay::Copied : InputWay::AsItIs;
}

Result<CopiedInput> copy_input(int source) {
  CopiedInput input{.source = source, .start = ::lseek(source, 0, SEEK_CUR)};
  input.copy = TRY(os::sealed_copy("assay-stdin", source));
  return input;
}

void CopiedInput::leave_the_rest() const {
  const off_t end = ::lseek(source, 0, SEEK_CUR);
  const off_t read = ::lseek(copy.get(), 0, SEEK_CUR);
  if (start >= 0 && read >= 0) (void)::lseek(source, std::min(start + read, end), SEEK_SET);
}

InputRelay::InputRelay(int source) : source_(source), kind_(Kind::Other), portion_(kMuch) {
  struct stat found{};
  if (::fstat(source, &found) == 0 && S_ISFIFO(found.st_mode)) kind_ = Kind::Pipe;
  if (is_stream_socket(source)) kind_ = Kind::Socket;
}

Status InputRelay::open() {
  os::Pipe pipe = TRY(os::make_open_pipe());
  if (::fcntl(pipe.write_end.get(), F_SETPIPE_SZ, kPage) < 0 ||
      ::fcntl(pipe.write_end.get(), F_SETFL, O_NONBLOCK) < 0)
    return system_error("set up a pipe for stdin");
  program_end_ = std::move(pipe.read_end);
  ours_ = std::move(pipe.write_end);
  aside_ = TRY(os::make_pipe());
  stop_ = os::OwnedFd(::eventfd(0, EFD_CLOEXEC));
  if (!stop_.is_open()) return system_error("set up stdin");
  return {};
}

Result<std::unique_ptr<InputRelay>> InputRelay::start(int source) {
  std::unique_ptr<InputRelay> relay(new InputRelay(source));
  TRY_STATUS(relay->open());
  try {
    relay->thread_ = std::thread([&self = *relay] { self.work(); });
  } catch (const std::system_error& error) {
    return system_error(error.code().value(), "pass stdin on");
  }
  return relay;
}

InputRelay::~InputRelay() {
  if (!thread_.joinable()) return;
  (void)::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void InputRelay::work() {
  ignore_signals();
  while (passed_ < kMuch && pass_page()) {
  }
  const bool reads_much = passed_ >= kMuch;
  if (reads_much) (void)::fcntl(ours_.get(), F_SETPIPE_SZ, kMuch);
  while (reads_much && pass_much()) {
  }
  ours_.reset();
}

bool InputRelay::pass_page() {
  if (!await(source_, POLLIN)) return false;
  const long size = look();
  if (size <= 0) return size < 0;
  const auto offered = static_cast<std::size_t>(size);
  if (!offer(offered)) return false;
  const bool more = await(ours_.get(), POLLOUT);
  take(more ? offered : offered - std::min(offered, unread_in(ours_.get())));
  passed_ += offered;
  return more;
}

bool InputRelay::pass_much() {
  if (!await(source_, POLLIN) || !await(ours_.get(), POLLOUT)) return false;
  ssize_t got = -1;
  if (kind_ == Kind::Pipe)
    got = ::splice(source_, nullptr, ours_.get(), nullptr, kMuch, SPLICE_F_NONBLOCK);
  else if (kind_ == Kind::Socket)
    got = ::recv(source_, portion_.data(), kMuch, MSG_DONTWAIT);
  else
    got = ::read(source_, portion_.data(), kMuch);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  return got > 0 && (kind_ == Kind::Pipe || offer(static_cast<std::size_t>(got)));
}

// False: it is over, since nobody has the program's end any more or we were told to stop.
bool InputRelay::await(int fd, short what) {
  const bool is_ours = fd == ours_.get();
  for (;;) {
    std::array<pollfd, 3> all{pollfd{stop_.get(), POLLIN, 0},
                              pollfd{ours_.get(), static_cast<short>(is_ours ? what : 0), 0},
                              pollfd{is_ours ? -1 : fd, what, 0}};
    if (::poll(all.data(), all.size(), -1) < 0) continue;
    if (all[0].revents != 0 || (all[1].revents & (POLLERR | POLLNVAL)) != 0) return false;
    if (all[1].revents != 0 || all[2].revents != 0) return true;
  }
}

// Never waits: somebody else may have read what was there.
long InputRelay::look() {
  ssize_t got = -1;
  if (kind_ == Kind::Pipe) {
    got = ::tee(source_, aside_.write_end.get(), kPage, SPLICE_F_NONBLOCK);
    if (got > 0)
      got = ::read(aside_.read_end.get(), portion_.data(), static_cast<std::size_t>(got));
  } else if (kind_ == Kind::Socket) {
    got = ::recv(source_, portion_.data(), kPage, MSG_PEEK | MSG_DONTWAIT);
  } else {
    got = ::read(source_, portion_.data(), kPage);
  }
  if (got < 0 && errno != EAGAIN && errno != EINTR) return 0;  // as a reader that gives up
  return got;
}

// The program may have put something into its own pipe, so that there is no room.
bool InputRelay::offer(std::size_t size) {
  for (std::size_t sent = 0; sent < size;) {
    const ssize_t wrote = ::write(ours_.get(), portion_.data() + sent, size - sent);
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
    if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (wrote < 0 && !await(ours_.get(), POLLOUT)) return false;
  }
  return true;
}

void InputRelay::take(std::size_t size) {
  while (size > 0 && kind_ != Kind::Other) {
    ssize_t got = -1;
    if (kind_ == Kind::Pipe) {
      got = ::splice(source_, nullptr, aside_.write_end.get(), nullptr, size, SPLICE_F_NONBLOCK);
      if (got > 0)
        got = ::read(aside_.read_end.get(), portion_.data(), static_cast<std::size_t>(got));
    } else {
      got = ::recv(source_, portion_.data(), size, MSG_DONTWAIT);
    }
    if (got <= 0) return;
    size -= static_cast<std::size_t>(got);
  }
}

Result<sandbox::Facts> run_with_input(sandbox::Sandbox& engine, sandbox::Spec& spec,
                                      std::optional<int> source) {
  if (!source) return engine.run(spec);
  const std::unique_ptr<InputRelay> relay = TRY(InputRelay::start(*source));
  spec.input = sandbox::Handed{&relay->program_end()};
  return engine.run(spec);
}

}  // namespace assay::cli
