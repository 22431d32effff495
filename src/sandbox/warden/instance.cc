#include "sandbox/warden/instance.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "os/directory.h"
#include "os/file.h"
#include "sandbox/warden/meters.h"

namespace assay::sandbox::warden {
namespace {

// 1 879 048 192 … 2 147 483 647 is the range that systemd's list of user ids leaves unused.
constexpr std::uint32_t kFirstId = 1'900'000'000;
constexpr std::uint32_t kBlocks = 240'000;
constexpr std::uint32_t kBlocksOfAUser = kIdsOfAUser / kIdsPerInstance;

constexpr std::string_view kLockSuffix = ".lock";

// A plain user's range has room for 64 engines; each gets a block of its own.
std::uint32_t random_block() {
  std::uint32_t value = 0;
  while (::getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value % (::geteuid() == 0 ? kBlocks : kBlocksOfAUser);
}

// Ours alone, or nobody's: a directory that somebody else prepared under this name is refused.
Status make_runtime_directory(const std::string& path) {
  const unsigned mode = ::geteuid() == 0 ? 0755 : 0700;
  TRY_STATUS(os::make_directory(path, mode));
  struct stat found{};
  if (::lstat(path.c_str(), &found) < 0) return system_error("look at '" + path + "'");
  if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 022) != 0)
    return invalid("'" + path + "' is not a directory that only this user can write to");
  return os::make_directory(path + "/stage", mode);
}

std::vector<std::string> lock_names(const std::string& directory) {
  std::vector<std::string> names;
  for (const std::string& name : os::names_in(directory).value_or(std::vector<std::string>{}))
    if (name.ends_with(kLockSuffix) && !name.starts_with("janitor"))
      names.push_back(name.substr(0, name.size() - kLockSuffix.size()));
  return names;
}

Result<os::OwnedFd> open_lock(const std::string& path) {
  return os::open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
}

bool take(const os::OwnedFd& lock, int how = LOCK_NB) {
  int done = -1;
  do {
    done = ::flock(lock.get(), LOCK_EX | how);
  } while (done < 0 && errno == EINTR);
  return done == 0;
}

void remove_traces(const std::string& directory, const std::string& name) {
  Meters::remove_instance(name);
  std::error_code ignored;
  for (const std::string& found : os::names_in(directory).value_or(std::vector<std::string>{}))
    if (found.starts_with("work-" + name + "-"))
      std::filesystem::remove_all(directory + "/" + found, ignored);
}

// An engine that is gone released its lock with its last breath.
void clean_up_after_the_dead(const std::string& directory) {
  for (const std::string& name : lock_names(directory)) {
    const std::string path = directory + "/" + name + std::string(kLockSuffix);
    const auto lock = os::open(path, O_RDWR | O_NOFOLLOW);
    if (!lock || !take(*lock)) continue;
    remove_traces(directory, name);
    ::unlink(path.c_str());
  }
}

}  // namespace

std::string runtime_directory() {
  if (::geteuid() == 0) return "/run/assay";
  const char* session =
      std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe): single thread
  if (session != nullptr && ::access(session, W_OK) == 0) return std::string(session) + "/assay";
  return "/tmp/assay-" + std::to_string(::geteuid());
}

Result<Instance> Instance::begin() {
  Instance instance;
  instance.directory_ = runtime_directory();
  TRY_STATUS(make_runtime_directory(instance.directory_));
  // Between making a lock file and locking it, it looks like a dead engine's.
  const os::OwnedFd alone = TRY(instance.keep_others_out());
  clean_up_after_the_dead(instance.directory_);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::uint32_t block = random_block();
    instance.name_ = std::to_string(block);
    instance.lock_path_ = instance.directory_ + "/" + instance.name_ + std::string(kLockSuffix);
    instance.lock_ = TRY(open_lock(instance.lock_path_));
    if (!take(instance.lock_)) continue;
    instance.block_ = block;
    instance.first_id_ = kFirstId + block * kIdsPerInstance;
    return instance;
  }
  return invalid("no free block of user ids in '" + instance.directory_ + "'");
}

Result<os::OwnedFd> Instance::keep_others_out() const {
  const std::string path = directory_ + "/janitor.lock";
  os::OwnedFd lock = TRY(open_lock(path));
  if (!take(lock, 0)) return system_error("lock '" + path + "'");
  return lock;
}

Instance::~Instance() {
  if (lock_.is_open()) ::unlink(lock_path_.c_str());
}

std::string Instance::work_directory(unsigned box) const {
  return directory_ + "/work-" + name_ + "-" + std::to_string(box);
}

}  // namespace assay::sandbox::warden
