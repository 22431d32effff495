#include "judge/native_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "os/file.h"

namespace assay::judge {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

Result<ProblemDirectory> ProblemDirectory::open(const std::string& path) {
  return ProblemDirectory(path, TRY(os::open(path, O_RDONLY | O_DIRECTORY)));
}

std::string ProblemDirectory::full_name(const std::string& path) const {
  return path_ + "/" + path;
}

Result<os::OwnedFd> ProblemDirectory::open_below(const std::string& path, int flags) const {
  open_how how{};
  // Never waits for the other end of a FIFO.
  how.flags = static_cast<std::uint64_t>(flags) | O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, directory_.get(), path.c_str(), &how, sizeof how);
  if (fd < 0) return system_error(fmt::format("open '{}'", full_name(path)));
  return os::OwnedFd(static_cast<int>(fd));
}

Result<Content> ProblemDirectory::file(const std::string& path) const {
  TRY_STATUS(check_length(path));
  auto opened = open_below(path, 0);
  if (!opened)
    return std::unexpected(
        Error{Fault::InvalidRequest, opened.error().code, opened.error().context});
  struct stat status{};
  if (::fstat(opened->get(), &status) < 0) return system_error("look at a file");
  if (!S_ISREG(status.st_mode))
    return invalid(fmt::format("'{}' is no regular file", full_name(path)));
  return Content{.file = std::make_shared<const os::OwnedFd>(*std::move(opened))};
}

Result<std::vector<std::string>> ProblemDirectory::matching(const std::string& pattern) const {
  TRY_STATUS(check_length(pattern));
  const FilePattern wanted = TRY(FilePattern::parse(pattern));
  const std::string& folder = wanted.folder;
  auto opened = open_below(folder.empty() ? "." : folder, O_DIRECTORY);
  if (!opened) return invalid(describe(opened.error()));
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(opened->get()));
  if (!directory) return system_error(fmt::format("list '{}'", full_name(folder)));
  (void)opened->release();  // the stream's now
  std::vector<std::string> found;
  while (const dirent* entry = ::readdir(directory.get()))  // NOLINT(concurrency-mt-unsafe)
    if (wanted.fits(entry->d_name)) found.push_back(folder + entry->d_name);
  std::ranges::sort(found, comes_before);
  return found;
}

}  // namespace assay::judge
