#include "os/fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>

namespace assay::os {

OwnedFd::~OwnedFd() {
  if (fd_ >= 0) ::close(fd_);
}

Result<OwnedFd> open_at(int directory, const std::string& path, int flags, unsigned mode) {
  int fd = -1;
  do {
    fd = ::openat(directory, path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return system_error("open '" + path + "'");
  return OwnedFd(fd);
}

Result<OwnedFd> open(const std::string& path, int flags, unsigned mode) {
  return open_at(AT_FDCWD, path, flags, mode);
}

Result<OwnedFd> duplicate(int fd) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) return system_error("duplicate a descriptor");
  return OwnedFd(copy);
}

Result<Pipe> make_pipe(int flags) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | flags) < 0) return system_error("make a pipe");
  return Pipe{OwnedFd(ends[0]), OwnedFd(ends[1])};
}

void let_others_open(int pipe) {
  struct stat found{};
  if (::fstat(pipe, &found) == 0 && S_ISFIFO(found.st_mode)) (void)::fchmod(pipe, 0666);
}

Result<Pipe> make_open_pipe() {
  Pipe pipe = TRY(make_pipe());
  let_others_open(pipe.write_end.get());
  return pipe;
}

}  // namespace assay::os
