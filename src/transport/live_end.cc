#include "transport/live_end.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>

#include "os/pipe_writing.h"

namespace assay::transport {

using boost::asio::posix::stream_descriptor;
using boost::system::error_code;

namespace {
constexpr std::size_t kPiece = 32768;
constexpr char kEndOfInput = 4;  // what a terminal takes for the end: ^D
}  // namespace

LiveEnd::LiveEnd(const boost::asio::any_io_executor& strand, os::OwnedFd end, bool terminal)
    : end_(strand), terminal_(terminal) {
  error_code ignored;
  if (end.is_open()) end_.assign(end.release(), ignored);
  end_.non_blocking(true, ignored);
}

void LiveEnd::write(std::string bytes, Taken taken) {
  if (!end_.is_open() || ending_) return taken(bytes.size());
  inputs_.push_back({std::move(bytes), std::move(taken)});
  write_next();
}

void LiveEnd::write_end() {
  if (!end_.is_open() || ending_) return;
  if (terminal_) return write(std::string(1, kEndOfInput), [](std::size_t) {});
  ending_ = true;
  write_next();
}

bool LiveEnd::write_now() {
  const std::string& first = inputs_.front().bytes;
  const ssize_t put =
      ::write(end_.native_handle(), first.data() + written_, first.size() - written_);
  if (put < 0 && os::takes_later(errno)) return false;
  if (put < 0 && errno == EINTR) return true;
  written_ = put < 0 ? first.size() : written_ + static_cast<std::size_t>(put);
  if (written_ < first.size()) return true;
  const std::size_t size = first.size();                 // with an error, nobody will ever read it
  const Taken taken = std::move(inputs_.front().taken);  // it may write more
  inputs_.pop_front();
  written_ = 0;
  taken(size);
  return true;
}

void LiveEnd::write_next() {
  if (writing_ || !end_.is_open()) return;
  while (!inputs_.empty() && write_now()) {
  }
  if (inputs_.empty()) {
    if (ending_) close();
    return;
  }
  writing_ = true;
  end_.async_wait(stream_descriptor::wait_write, [self = shared_from_this()](error_code problem) {
    self->writing_ = false;
    if (!problem) self->write_next();
  });
}

void LiveEnd::read(Heard heard) {
  if (!end_.is_open()) return heard({});
  end_.async_wait(stream_descriptor::wait_read, [self = shared_from_this(),
                                                 heard = std::move(heard)](error_code problem) {
    std::array<char, kPiece> piece{};
    if (problem || !self->end_.is_open()) return heard({});
    const ssize_t got = ::read(self->end_.native_handle(), piece.data(), piece.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return self->read(heard);
    // A terminal without a program on the other side says EIO.
    heard({piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
  });
}

void LiveEnd::stop_reading() {
  error_code ignored;
  end_.cancel(ignored);
}

std::string LiveEnd::read_rest() {
  std::string all;
  std::array<char, kPiece> piece{};
  while (end_.is_open()) {
    const ssize_t got = ::read(end_.native_handle(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    all.append(piece.data(), static_cast<std::size_t>(got));
  }
  return all;
}

void LiveEnd::resize(unsigned rows, unsigned columns, unsigned x, unsigned y) {
  if (!end_.is_open()) return;
  const winsize size{.ws_row = static_cast<unsigned short>(rows),
                     .ws_col = static_cast<unsigned short>(columns),
                     .ws_xpixel = static_cast<unsigned short>(x),
                     .ws_ypixel = static_cast<unsigned short>(y)};
  ::ioctl(end_.native_handle(), TIOCSWINSZ, &size);
}

void LiveEnd::close() {
  error_code ignored;
  if (end_.is_open()) end_.close(ignored);
}

}  // namespace assay::transport
