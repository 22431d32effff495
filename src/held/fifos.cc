#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "held/doors.h"

namespace assay::held {
namespace {

constexpr std::array<const char*, kDoors> kNames{"wait", "status", "info", "downward", "upward"};

}  // namespace

Result<Fifos> Fifos::make(const std::string& directory, const std::string& suffix) {
  if (suffix.find('/') != std::string::npos)
    return invalid("a suffix of pipe names cannot contain '/', as '" + suffix + "' does");
  Fifos made;
  auto opened = os::open(directory, O_RDONLY | O_DIRECTORY);
  if (!opened)
    return std::unexpected(Error{Fault::InvalidRequest, opened.error().code,
                                 "use '" + directory + "' as the directory of the pipes"});
  made.directory_ = std::move(*opened);
  for (const char* base : kNames) {
    const std::string name = base + suffix;
    if (::mkfifoat(made.directory_.get(), name.c_str(), 0600) < 0)
      return std::unexpected(
          Error{Fault::InvalidRequest, errno, "make the pipe '" + directory + "/" + name + "'"});
    made.fifos_.push_back({.name = name});
    made.fifos_.back().path = TRY(os::open_at(made.directory_.get(), name, O_PATH | O_NOFOLLOW));
  }
  return made;
}

bool Fifos::Fifo::is_at(int fd) const {
  struct stat made{};
  struct stat found{};
  return ::fstat(path.get(), &made) == 0 && ::fstat(fd, &found) == 0 &&
         found.st_dev == made.st_dev && found.st_ino == made.st_ino;
}

Result<os::OwnedFd> Fifos::open(Door door) const {
  const bool reads = door == Door::Wait || door == Door::Downward;
  const Fifo& fifo = fifos_[static_cast<std::size_t>(door)];
  os::OwnedFd fd = TRY(os::open_at(directory_.get(), fifo.name,
                                   (reads ? O_RDONLY | O_NONBLOCK : O_WRONLY) | O_NOFOLLOW));
  if (!fifo.is_at(fd.get())) return invalid("'" + fifo.name + "' is not the pipe that we made");
  if (::fcntl(fd.get(), F_SETFL, O_NONBLOCK) < 0) return system_error("set up a pipe");
  return fd;
}

// Open for both, the pipe has a reader and a writer for everybody who waits for one; and until its
// name is gone, nobody can begin to wait. Then both go: who wanted to read finds the end, who
// wanted to write finds nobody.
void Fifos::remove() {
  if (std::exchange(removed_, true)) return;
  std::vector<os::OwnedFd> released;
  for (const Fifo& fifo : fifos_) {
    auto both = os::open_at(directory_.get(), fifo.name, O_RDWR | O_NONBLOCK | O_NOFOLLOW);
    if (!both || !fifo.is_at(both->get())) continue;  // somebody else's by now
    ::unlinkat(directory_.get(), fifo.name.c_str(), 0);
    released.push_back(std::move(*both));
  }
}

}  // namespace assay::held
