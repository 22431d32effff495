#include "app/cli/outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace assay::cli {

Result<PendingFile> PendingFile::open(const std::string& path) {
  PendingFile file;
  file.path_ = path;
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
    if (S_ISDIR(found.st_mode))
      return invalid("'" + path + "' is a directory, not a file to write");
    file.fd_ = TRY(os::open(path, O_WRONLY | O_NOCTTY));
    file.is_device_ = true;
    return file;
  }
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  auto nameless = os::open(directory, O_WRONLY | O_TMPFILE, 0644);
  if (nameless) {
    file.fd_ = std::move(*nameless);
    file.nameless_ = true;
  } else if (nameless.error().code == EOPNOTSUPP || nameless.error().code == EISDIR) {
    file.fd_ = TRY(os::open(file.temporary_name(), O_WRONLY | O_CREAT | O_EXCL, 0644));
  } else {
    return std::unexpected(
        Error{Fault::InvalidRequest, nameless.error().code, "create '" + path + "'"});
  }
  return file;
}

std::string PendingFile::temporary_name() const {
  return path_ + ".assay-" + std::to_string(::getpid());
}

PendingFile::~PendingFile() {
  if (fd_.is_open() && !is_device_ && !nameless_) ::unlink(temporary_name().c_str());
}

// linkat does not replace, rename does: so the file gets a name beside its own first.
Status PendingFile::publish() {
  if (is_device_) return {};
  const std::string temporary = temporary_name();
  const std::string self = "/proc/self/fd/" + std::to_string(fd_.get());
  if (nameless_ &&
      ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) < 0)
    return system_error("write '" + path_ + "'");
  fd_.reset();
  if (::rename(temporary.c_str(), path_.c_str()) == 0) return {};
  const auto error = system_error("write '" + path_ + "'");
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace assay::cli
