#include "app/cli/stream_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::cli {

std::optional<FileIdentity> identity_of(int fd) {
  struct stat found{};
  if (::fstat(fd, &found) < 0 || !S_ISREG(found.st_mode)) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino, {}};
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    if (!S_ISREG(found.st_mode)) return std::nullopt;
    return FileIdentity{found.st_dev, found.st_ino, {}};
  }
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (::stat(directory.c_str(), &found) < 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino, path.substr(slash + 1)};
}

Result<StreamFile> StreamFile::open(const std::string& path) {
  StreamFile file;
  file.path_ = path;
  auto there = os::open(path, O_WRONLY | O_NOCTTY);
  if (!there && there.error().code == ENOENT) {
    there = os::open(path, O_WRONLY | O_CREAT | O_NOCTTY, 0644);
    file.made_ = there.has_value();
  }
  file.fd_ = TRY(std::move(there));
  return file;
}

Status StreamFile::begin() {
  made_ = false;
  if (identity_of(fd()) && ::ftruncate(fd(), 0) < 0) return system_error("empty '" + path_ + "'");
  return {};
}

// A link that led nowhere stays, as what it leads to now does.
StreamFile::~StreamFile() {
  struct stat named{};
  if (!fd_.is_open() || !made_ || ::lstat(path_.c_str(), &named) < 0) return;
  if (identity_of(fd()) == FileIdentity{named.st_dev, named.st_ino, {}}) ::unlink(path_.c_str());
}

}  // namespace assay::cli
