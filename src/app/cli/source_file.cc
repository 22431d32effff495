#include "app/cli/source_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "app/cli/program_input.h"
#include "os/file.h"

namespace assay::cli {

// /proc/kmsg calls itself a regular file, and a FIFO is open when somebody else opens it, too: we
// wait for neither. A pipe without a name ("<(command)") ends.
Result<os::OwnedFd> open_source(const std::string& path) {
  os::OwnedFd fd = TRY(os::open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK));
  struct stat found{};
  struct statfs system{};
  if (::fstat(fd.get(), &found) < 0 || ::fstatfs(fd.get(), &system) < 0)
    return system_error("look at '" + path + "'");
  if (S_ISDIR(found.st_mode)) return invalid("'" + path + "' is a directory, not a file");
  if (S_ISREG(found.st_mode) || is_null_device(found)) return fd;
  if (system.f_type != PIPEFS_MAGIC)
    return invalid("'" + path + "' is not a regular file, so nobody knows where it ends");
  if (::fcntl(fd.get(), F_SETFL, 0) < 0) return system_error("set up '" + path + "'");
  return fd;
}

Result<std::string> read_source_file(const std::string& path) {
  const os::OwnedFd fd = TRY(open_source(path));
  return os::read_whole("/proc/self/fd/" + std::to_string(fd.get()));
}

}  // namespace assay::cli
