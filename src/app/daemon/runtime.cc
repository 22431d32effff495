#include "app/daemon/runtime.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "app/daemon/reach.h"
#include "os/directory.h"
#include "os/file.h"

namespace assay::daemon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "daemon-";
constexpr std::array kStorePlaces{"/dev/shm", "/tmp"};

// The engine's own runtime directory: see warden/instance.cc.
std::string base_directory() {
  if (::geteuid() == 0) return "/run/assay";
  const char* session = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (session != nullptr && ::access(session, W_OK) == 0) return std::string(session) + "/assay";
  return fmt::format("/tmp/assay-{}", ::geteuid());
}

Status make_base(const std::string& path) {
  TRY_STATUS(os::make_directory(path, ::geteuid() == 0 ? 0755 : 0700));
  struct stat found{};
  if (::lstat(path.c_str(), &found) < 0) return system_error(fmt::format("look at '{}'", path));
  if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 022) != 0)
    return invalid(fmt::format("'{}' is not a directory that only this user can write to", path));
  return {};
}

std::string store_name(std::string_view place, std::string_view name) {
  return fmt::format("{}/assay-store-{}", place, name);
}

void remove_traces(const std::string& base, const std::string& name) {
  std::error_code ignored;
  for (const char* place : kStorePlaces)
    fs::remove_all(store_name(place, name), ignored);
  fs::remove_all(base + "/" + name, ignored);
}

// A daemon that is gone released its lock with its last breath.
void clean_up_after_the_dead(const std::string& base) {
  for (const std::string& name : os::names_in(base).value_or(std::vector<std::string>{})) {
    if (!name.starts_with(kPrefix)) continue;
    // One that cannot be opened for any other reason may belong to the living.
    const auto lock = os::open(base + "/" + name + "/lock", O_RDWR | O_NOFOLLOW);
    const bool dead =
        lock ? ::flock(lock->get(), LOCK_EX | LOCK_NB) == 0 : lock.error().code == ENOENT;
    if (dead) remove_traces(base, name);
  }
}

Result<std::string> new_name(std::string_view prefix) {
  std::uint64_t value = 0;
  if (::getrandom(&value, sizeof value, 0) != sizeof value) return system_error("get a name");
  return fmt::format("{}{:016x}", prefix, value);
}

Status write_file(const std::string& path, std::string_view content, unsigned mode = 0644) {
  const os::OwnedFd fd = TRY(os::open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  return os::write_all(fd.get(), content);
}

Status copy_files(const std::string& from, const std::string& to, std::string_view ending,
                  const std::string& but) {
  TRY_STATUS(os::make_directory(to, 0755));
  for (const std::string& name : TRY(os::names_in(from))) {
    if (!name.ends_with(ending) || name == but) continue;
    TRY_STATUS(write_file(to + "/" + name, TRY(os::read_whole(from + "/" + name))));
  }
  return {};
}

}  // namespace

Result<Runtime> Runtime::begin() {
  const std::string base = base_directory();
  TRY_STATUS(make_base(base));
  // The engine's own lock: between making a directory and locking it, it looks like a dead one's.
  const os::OwnedFd alone =
      TRY(os::open(base + "/janitor.lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (::flock(alone.get(), LOCK_EX) < 0) return system_error(fmt::format("lock '{}'", base));
  clean_up_after_the_dead(base);
  Runtime runtime;
  runtime.name_ = TRY(new_name(kPrefix));
  runtime.directory_ = base + "/" + runtime.name_;
  TRY_STATUS(os::make_directory(runtime.directory_, 0755));
  runtime.lock_ = TRY(os::open(runtime.directory_ + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (::flock(runtime.lock_.get(), LOCK_EX | LOCK_NB) < 0)
    return system_error(fmt::format("lock '{}'", runtime.directory_));
  return runtime;
}

Runtime::Runtime(Runtime&& other) noexcept
    : name_(std::exchange(other.name_, {})),
      directory_(std::exchange(other.directory_, {})),
      lock_(std::move(other.lock_)) {}

Runtime::~Runtime() {
  if (!name_.empty() && lock_.is_open()) remove_traces(fs::path(directory_).parent_path(), name_);
}

void Runtime::disown() {
  lock_.reset();
  name_.clear();
}

Status Runtime::set_profiles(const std::string& from, const std::string& name,
                             const std::string& text, const Identity& reader) {
  TRY_STATUS(copy_files(from, profiles(), ".toml", name + ".toml"));
  TRY_STATUS(copy_files(from + "/seccomp", profiles() + "/seccomp", ".json", ""));
  const std::string own = profiles() + "/" + name + ".toml";
  TRY_STATUS(write_file(own, text, 0600));
  // It names the copies; the daemon looks at it again now and then.
  if (::geteuid() == 0 &&
      (::lchown(own.c_str(), 0, reader.group) < 0 || ::chmod(own.c_str(), 0640) < 0))
    return system_error(fmt::format("give '{}' to its reader", own));
  return {};
}

Result<std::string> Runtime::keep_copy(const std::string& path) const {
  const os::OwnedFd from = TRY(os::open(path, O_RDONLY | O_NONBLOCK));
  struct stat found{};
  if (::fstat(from.get(), &found) < 0 || !S_ISREG(found.st_mode))
    return invalid(fmt::format("'{}' is no file any more", path));
  const std::string directory = directory_ + "/files";
  TRY_STATUS(os::make_directory(directory, 0711));
  std::string copy = directory + "/" + TRY(new_name(""));
  const std::string content = TRY(os::read_from_start(from.get(), kMostCopied.count + 1));
  if (content.size() > kMostCopied.count) return invalid(fmt::format("'{}' has grown", path));
  const os::OwnedFd to = TRY(os::open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  TRY_STATUS(os::write_all(to.get(), content));
  if (::fchown(to.get(), found.st_uid, found.st_gid) < 0 ||
      ::fchmod(to.get(), found.st_mode & 0555) < 0)
    return system_error(fmt::format("copy '{}'", path));
  return copy;
}

Result<std::string> Runtime::make_store(const Identity& owner) const {
  const char* place = ::access(kStorePlaces[0], W_OK) == 0 ? kStorePlaces[0] : kStorePlaces[1];
  std::string path = store_name(place, name_);
  if (::mkdir(path.c_str(), 0700) < 0) return system_error(fmt::format("make '{}'", path));
  if (::geteuid() == 0 && ::lchown(path.c_str(), owner.user, owner.group) < 0)
    return system_error(fmt::format("give '{}' away", path));
  return path;
}

}  // namespace assay::daemon
