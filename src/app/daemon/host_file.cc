#include "app/daemon/host_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <filesystem>

#include "os/packet.h"
#include "sandbox/path.h"

namespace assay::daemon {
namespace {

using sandbox::is_within;

constexpr std::array kKernelsOwn{"/proc", "/sys", "/dev"};

struct Reply {
  std::int32_t fault = -1;  // Fault, or -1: a descriptor comes along
  std::int32_t code = 0;
  std::array<char, PATH_MAX + 1024> text{};
};

std::unexpected<Error> outside(const std::string& path, const std::vector<std::string>& prefixes) {
  return invalid(fmt::format("file ({}) does not under ([{}])", path, fmt::join(prefixes, " ")));
}

// Neither opens a device nor waits for a pipe: the descriptor is good for looking only.
Result<os::OwnedFd> look(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  const long fd = ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how);
  if (fd < 0) return system_error(fmt::format("open '{}'", path));
  return os::OwnedFd(static_cast<int>(fd));
}

std::string own_name(const os::OwnedFd& fd) {
  return fmt::format("/proc/self/fd/{}", fd.get());
}

// Where the kernel says it lies, links resolved.
Result<std::string> place_of(const os::OwnedFd& fd) {
  std::string place(PATH_MAX, '\0');
  const ssize_t size = ::readlink(own_name(fd).c_str(), place.data(), place.size());
  if (size <= 0) return system_error("find out where a file lies");
  place.resize(static_cast<std::size_t>(size));
  return place;
}

std::vector<std::string> resolved(const std::vector<std::string>& prefixes) {
  std::vector<std::string> places;
  for (const std::string& prefix : prefixes)
    if (const auto fd = look(prefix))
      if (auto place = place_of(*fd)) places.push_back(std::move(*place));
  return places;
}

bool is_kernels_own(const std::string& place, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(kKernelsOwn, [&](const char* tree) {
    const bool invited = std::ranges::any_of(prefixes, [&](const std::string& prefix) {
      return is_within(prefix, tree) && is_within(place, prefix);
    });
    return is_within(place, tree) && !invited;
  });
}

// Wherever it is mounted.
bool is_made_by_the_kernel(const os::OwnedFd& fd) {
  struct statfs system{};
  if (::fstatfs(fd.get(), &system) < 0) return true;
  constexpr std::array<unsigned long, 8> kKinds{
      PROC_SUPER_MAGIC, SYSFS_MAGIC,   CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
      DEBUGFS_MAGIC,    TRACEFS_MAGIC, SECURITYFS_MAGIC,   BPF_FS_MAGIC};
  return std::ranges::find(kKinds, static_cast<unsigned long>(system.f_type)) != kKinds.end();
}

std::string lexical(const std::string& path) {
  std::error_code ignored;
  std::string result = std::filesystem::absolute(path, ignored).lexically_normal().string();
  while (result.size() > 1 && result.ends_with('/'))
    result.pop_back();
  return result;
}

bool is_below_any(const std::string& path, const std::vector<std::string>& prefixes) {
  return std::ranges::any_of(prefixes, [&](const auto& prefix) { return is_within(path, prefix); });
}

Error not_there(const std::string& path, const Error& why) {
  const bool missing = why.code == ENOENT || why.code == ENOTDIR;
  return {missing ? Fault::NotFound : Fault::System, why.code, fmt::format("open '{}'", path)};
}

}  // namespace

Result<os::OwnedFd> open_host_file(const std::string& path,
                                   const std::vector<std::string>& prefixes) {
  if (path.empty() || path.size() >= PATH_MAX || path.contains('\0'))
    return invalid("src: not a path");
  const std::vector<std::string> allowed = resolved(prefixes);
  const auto found = look(path);
  if (!found) {
    std::vector<std::string> named;
    std::ranges::transform(prefixes, std::back_inserter(named), lexical);
    const bool inside = prefixes.empty() || is_below_any(lexical(path), named) ||
                        is_below_any(lexical(path), allowed);
    if (!inside) return outside(path, prefixes);
    return std::unexpected(not_there(path, found.error()));
  }
  const std::string place = TRY(place_of(*found));
  if (!prefixes.empty() && !is_below_any(place, allowed)) return outside(path, prefixes);
  if (is_kernels_own(place, allowed) || is_made_by_the_kernel(*found))
    return invalid(fmt::format("file ({}) is the kernel's: not below /proc, /sys or /dev", path));
  struct stat status{};
  if (::fstat(found->get(), &status) < 0) return system_error(fmt::format("look at '{}'", path));
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR, fmt::format("read '{}'", path));
  if (!S_ISREG(status.st_mode))
    return system_error(EINVAL, fmt::format("'{}' is not a regular file", path));
  auto opened = os::open(own_name(*found), O_RDONLY | O_NOCTTY);
  if (!opened) return std::unexpected(not_there(path, opened.error()));
  return opened;
}

void serve_host_files(int socket, const std::vector<std::string>& prefixes) {
  std::array<std::byte, PATH_MAX> packet;
  for (;;) {
    const auto received = os::receive_packet(socket, packet);
    if (!received || received->size == 0) return;
    const std::string path(reinterpret_cast<const char*>(packet.data()), received->size);
    const auto opened = open_host_file(path, prefixes);
    Reply reply;
    if (!opened) {
      const Error& error = opened.error();
      reply.fault = static_cast<std::int32_t>(error.fault);
      reply.code = error.code;
      std::memcpy(reply.text.data(), error.context.data(),
                  std::min(error.context.size(), reply.text.size() - 1));
    }
    const int fd = opened ? opened->get() : -1;
    if (!os::send_packet(socket, os::bytes_of(reply), std::span(&fd, opened ? 1U : 0U))) return;
  }
}

Result<os::OwnedFd> HostFiles::open(const std::string& path) {
  if (path.empty() || path.size() >= PATH_MAX || path.contains('\0'))
    return invalid("src: not a path");
  Reply reply;
  const std::lock_guard guard(*lock_);
  TRY_STATUS(os::send_packet(socket_.get(), std::as_bytes(std::span(path))));
  os::Received received = TRY(os::receive_packet(socket_.get(), os::room_of(reply)));
  if (received.size != sizeof reply)
    return system_error(EPIPE, "the process that opens host files is gone");
  if (reply.fault >= 0)
    return std::unexpected(
        Error{static_cast<Fault>(reply.fault), reply.code,
              std::string(reply.text.data(), ::strnlen(reply.text.data(), reply.text.size()))});
  if (received.fds.size() != 1) return system_error(EBADMSG, "open a host file");
  return std::move(received.fds.front());
}

}  // namespace assay::daemon
