#include "app/daemon/reach.h"

#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "os/fd.h"

namespace assay::daemon {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kStranger = 1'900'000'000;  // one of the ids that boxes have: warden/instance.cc

// This thread sees files as a stranger: with the id of root, the rights of root over them go too,
// and both come back.
class AsStranger {
 public:
  AsStranger()
      : group_(static_cast<gid_t>(::setfsgid(kStranger))),
        user_(static_cast<uid_t>(::setfsuid(kStranger))) {}
  AsStranger(const AsStranger&) = delete;
  AsStranger& operator=(const AsStranger&) = delete;
  ~AsStranger() {
    ::setfsuid(user_);
    ::setfsgid(group_);
  }
  // There is no such id in a small user namespace; the call does not say so.
  [[nodiscard]] static bool is_one() {
    return static_cast<uid_t>(::setfsuid(static_cast<uid_t>(-1))) == kStranger;
  }

 private:
  gid_t group_;
  uid_t user_;
};

bool is_denied(const fs::path& path) {
  const os::OwnedFd found(::open(path.c_str(), O_PATH | O_CLOEXEC));
  return !found.is_open() && errno == EACCES;
}

// The first directory on the way that a stranger may not enter.
std::string first_closed(const fs::path& path) {
  fs::path above;
  for (const fs::path& part : path.parent_path()) {
    above /= part;
    if (is_denied(above / ".")) return above.string();
  }
  return "";
}

bool can_copy(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         (found.st_mode & S_IWOTH) == 0 &&
         static_cast<std::uint64_t>(found.st_size) <= kMostCopied.count;
}

std::string closed_on_the_way(const std::string& path, const fs::path& real) {
  const AsStranger stranger;
  if (!AsStranger::is_one() || !is_denied(path)) return "";
  std::string closed = first_closed(path);
  return closed.empty() ? first_closed(real) : closed;
}

}  // namespace

std::optional<Obstacle> obstacle_to(const std::string& path) {
  if (::geteuid() != 0) return std::nullopt;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  std::string closed = closed_on_the_way(path, real);
  if (closed.empty()) return std::nullopt;
  return Obstacle{.directory = std::move(closed), .can_copy = can_copy(path)};
}

}  // namespace assay::daemon
