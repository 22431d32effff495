// A file descriptor with one owner.
#pragma once

#include <utility>

#include "base/result.h"

namespace assay::os {

class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(other.release()) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    OwnedFd old(std::exchange(fd_, other.release()));
    return *this;
  }
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  ~OwnedFd();

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset() { *this = OwnedFd(); }

  explicit operator bool() const = delete;  // `if (fd)` would be true for -1 as an int

 private:
  int fd_ = -1;
};

struct Pipe {
  OwnedFd read_end;
  OwnedFd write_end;
};

Result<OwnedFd> open(const std::string& path, int flags,
                     unsigned mode = 0);  // adds O_CLOEXEC, retries EINTR
Result<OwnedFd> open_at(int directory, const std::string& path, int flags, unsigned mode = 0);
Result<OwnedFd> duplicate(int fd);
Result<Pipe> make_pipe(int flags = 0);

// Lets another user open a pipe again by its name in /proc/self/fd ("/dev/stdin"): programs do
// that. No other kind of file is touched, and a pipe that is not ours stays as it is.
void let_others_open(int pipe);
Result<Pipe> make_open_pipe();

}  // namespace assay::os
