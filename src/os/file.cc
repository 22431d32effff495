#include "os/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace assay::os {

Result<std::string> read_whole(const std::string& path) {
  const OwnedFd fd = TRY(open(path, O_RDONLY));
  std::string content;
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read '" + path + "'");
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Result<std::string> read_from_start(int fd, std::size_t most) {
  std::string content(most, '\0');
  ssize_t got = 0;
  do {
    got = ::pread(fd, content.data(), most, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return system_error("read a meter");
  content.resize(static_cast<std::size_t>(got));
  return content;
}

Status write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(fd, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return system_error("write");
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Status write_at_start(int fd, std::string_view content) {
  if (::pwrite(fd, content.data(), content.size(), 0) < 0)
    return system_error("write '" + std::string(content) + "'");
  return {};
}

Status write_whole(const std::string& path, std::string_view content) {
  const OwnedFd fd = TRY(open(path, O_WRONLY));
  if (::write(fd.get(), content.data(), content.size()) < 0)
    return system_error("write '" + std::string(content) + "' to '" + path + "'");
  return {};
}

namespace {

Result<OwnedFd> make_memory(const char* name, bool executable) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  // MFD_EXEC is required where vm.memfd_noexec is set and unknown before 6.3.
  int raw = ::memfd_create(name, flags | (executable ? MFD_EXEC : 0));
  if (raw < 0 && errno == EINVAL) raw = ::memfd_create(name, flags);
  if (raw < 0) return system_error("make an anonymous file");
  return OwnedFd(raw);
}

Result<OwnedFd> seal(OwnedFd fd) {
  if (::lseek(fd.get(), 0, SEEK_SET) < 0) return system_error("rewind an anonymous file");
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
    return system_error("seal an anonymous file");
  return fd;
}

}  // namespace

Result<OwnedFd> memory(const char* name) {
  return make_memory(name, false);
}

Result<OwnedFd> sealed_memory(const char* name, std::string_view content, bool executable) {
  OwnedFd fd = TRY(make_memory(name, executable));
  TRY_STATUS(write_all(fd.get(), content));
  return seal(std::move(fd));
}

Result<OwnedFd> sealed_copy(const char* name, int source) {
  OwnedFd fd = TRY(make_memory(name, false));
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(source, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read");
    if (got == 0) break;
    TRY_STATUS(write_all(fd.get(), {buffer.data(), static_cast<std::size_t>(got)}));
  }
  return seal(std::move(fd));
}

Status make_directory(const std::string& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) < 0 && errno != EEXIST)
    return system_error("make directory '" + path + "'");
  return {};
}

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

std::string own_directory() {
  std::array<char, PATH_MAX> path{};
  const ssize_t got = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string whole(path.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return whole.substr(0, whole.rfind('/'));
}

}  // namespace assay::os
