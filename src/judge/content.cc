#include "judge/content.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "os/file.h"

namespace assay::judge {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;

Result<std::size_t> read_at(int fd, char* into, std::size_t size, std::uint64_t offset) {
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::pread(fd, into + have, size - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read a file");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

Result<std::string> text_at(int fd, std::uint64_t offset, std::size_t size) {
  std::string text(size, '\0');
  text.resize(TRY(read_at(fd, text.data(), size, offset)));
  return text;
}

Status copy_whole(int from, int to) {
  const auto block = std::make_unique_for_overwrite<char[]>(kBlock);
  for (std::uint64_t offset = 0;;) {
    const std::size_t got = TRY(read_at(from, block.get(), kBlock, offset));
    TRY_STATUS(os::write_all(to, {block.get(), got}));
    if (got < kBlock) return {};
    offset += got;
  }
}

}  // namespace

Result<os::OwnedFd> sealed(const Content& content) {
  if (!content.file) return os::sealed_memory("content", content.text);
  os::OwnedFd copy = TRY(nameless_file());
  TRY_STATUS(copy_whole(content.file->get(), copy.get()));
  TRY_STATUS(seal(copy.get()));
  return copy;
}

Result<int> readable(const Content& content, os::OwnedFd& made) {
  if (content.file) return content.file->get();
  made = TRY(os::sealed_memory("content", content.text));
  return made.get();
}

Result<std::string> whole(const Content& content, Bytes most) {
  std::string bytes = content.text;
  if (content.file != nullptr)
    bytes = TRY(os::read_from_start(content.file->get(), most.count + 1));
  if (bytes.size() > most.count) return invalid("larger than " + format_bytes(most));
  return bytes;
}

Result<os::OwnedFd> nameless_file() {
  os::OwnedFd fd(::memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.is_open()) return system_error("make a file in memory");
  return fd;
}

Status seal(int fd) {
  constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (::fcntl(fd, F_ADD_SEALS, kSeals) < 0) return system_error("seal a file");
  return rewind(fd);
}

Status rewind(int fd) {
  if (::lseek(fd, 0, SEEK_SET) < 0) return system_error("rewind a file");
  return {};
}

Result<Bytes> size_of(int fd) {
  struct stat status{};
  if (::fstat(fd, &status) < 0) return system_error("look at a file");
  return Bytes{static_cast<std::uint64_t>(status.st_size)};
}

Result<std::string> head_and_tail(int fd, Bytes most) {
  const std::uint64_t size = TRY(size_of(fd)).count;
  if (size <= most.count) return text_at(fd, 0, size);
  const std::uint64_t half = most.count / 2;
  const std::string head = TRY(text_at(fd, 0, half));
  const std::string tail = TRY(text_at(fd, size - half, half));
  return fmt::format("{}\n... {} of {} bytes left out ...\n{}", head, size - 2 * half, size, tail);
}

}  // namespace assay::judge
