#include "app/cli/outputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>

#include "os/file.h"

namespace assay::cli {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Ours, if the file is what stdout or stderr is: a second description would write over the first.
std::optional<int> own_stream(const struct stat& file) {
  for (const int ours : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat found{};
    if (::fstat(ours, &found) == 0 && is_same(found, file) &&
        (::fcntl(ours, F_GETFL) & O_ACCMODE) != O_RDONLY)
      return ours;
  }
  return std::nullopt;
}

// A pipe that nobody reads would have us wait for ever.
Result<os::OwnedFd> open_in_place(const std::string& path, const struct stat& found) {
  if (S_ISSOCK(found.st_mode)) return invalid("'" + path + "' is a socket, not a file to write");
  auto file = os::open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK);
  if (!file && file.error().code == ENXIO)
    return invalid("'" + path + "' is a pipe or device that nobody reads from");
  if (!file) return file;
  if (::fcntl(file->get(), F_SETFL, ::fcntl(file->get(), F_GETFL) & ~O_NONBLOCK) < 0)
    return system_error("set up '" + path + "'");
  return file;
}

// Who may use the file that is replaced may use the new one. Its bytes are a stranger's, so bits
// that lend the owner's rights stay behind.
void keep_owner_and_mode(int fd, const struct stat& replaced) {
  (void)!::fchown(fd, replaced.st_uid, replaced.st_gid);  // as far as we may
  (void)::fchmod(fd, replaced.st_mode & 0777);
}

}  // namespace

Result<PendingFile> PendingFile::open(const std::string& path, Links links) {
  PendingFile file;
  file.path_ = path;
  struct stat named{}, found{};
  const auto look = links == Links::Followed ? ::stat : ::lstat;
  const bool there = look(path.c_str(), &found) == 0;
  const bool is_link =
      links == Links::Followed && ::lstat(path.c_str(), &named) == 0 && S_ISLNK(named.st_mode);
  if (is_link && !there) return invalid("'" + path + "' is a link that leads to no file");
  if (there && S_ISDIR(found.st_mode))
    return invalid("'" + path + "' is a directory, not a file to write");
  const bool is_plain = S_ISREG(found.st_mode) || S_ISLNK(found.st_mode);
  if (is_link || (there && (!is_plain || own_stream(found)))) {
    TRY_STATUS(file.open_target(found));
  } else {
    TRY_STATUS(file.open_temporary());
    if (there && S_ISREG(found.st_mode)) keep_owner_and_mode(file.fd(), found);
  }
  return file;
}

Status PendingFile::open_target(const struct stat& found) {
  const auto ours = own_stream(found);
  target_ = TRY(ours ? os::duplicate(*ours) : open_in_place(path_, found));
  empties_ = !ours && S_ISREG(found.st_mode);
  fd_ = os::OwnedFd(::memfd_create("assay-out", MFD_CLOEXEC));
  if (!fd_.is_open()) return system_error("make room for '" + path_ + "'");
  return {};
}

Status PendingFile::open_temporary() {
  auto nameless = os::open(directory_of(path_), O_WRONLY | O_TMPFILE, 0644);
  if (nameless) {
    way_ = Way::Nameless;
    fd_ = std::move(*nameless);
    return {};
  }
  const int error = nameless.error().code;
  if (error != EOPNOTSUPP && error != EISDIR)
    return std::unexpected(Error{Fault::InvalidRequest, error, "create '" + path_ + "'"});
  way_ = Way::Named;
  fd_ = TRY(os::open(temporary_name(), O_WRONLY | O_CREAT | O_EXCL, 0644));
  return {};
}

std::string PendingFile::temporary_name() const {
  return path_ + ".assay-" + std::to_string(::getpid());
}

PendingFile::~PendingFile() {
  if (fd_.is_open() && way_ == Way::Named) ::unlink(temporary_name().c_str());
}

Status PendingFile::copy_over() {
  const std::string about = "write '" + path_ + "'";
  if (empties_ && ::ftruncate(target_.get(), 0) < 0) return system_error(about);
  std::array<char, 65536> buffer;
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(fd_.get(), buffer.data(), buffer.size(), at);
    if (got < 0) return system_error(about);
    if (got == 0) return {};
    const Status written =
        os::write_all(target_.get(), {buffer.data(), static_cast<std::size_t>(got)});
    if (!written) return system_error(written.error().code, about);
    at += got;
  }
}

// linkat does not replace, rename does: so the file gets a name beside its own first.
Status PendingFile::publish() {
  if (way_ == Way::Copied) return copy_over();
  const std::string temporary = temporary_name();
  const std::string self = "/proc/self/fd/" + std::to_string(fd_.get());
  if (way_ == Way::Nameless &&
      ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) < 0)
    return system_error("write '" + path_ + "'");
  fd_.reset();
  if (::rename(temporary.c_str(), path_.c_str()) == 0) return {};
  const auto error = system_error("write '" + path_ + "'");
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace assay::cli
