#include "judge/content.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

std::string without_middle(std::string_view head, std::string_view tail, std::uint64_t size) {
  return fmt::format("{}\n... {} of {} bytes left out ...\n{}", head,
                     size - head.size() - tail.size(), size, tail);
}

Result<std::string> head_and_tail(int fd, const FilePart& part, Bytes most) {
  const auto [offset, size] = part;
  if (size <= most.count) return text_at(fd, offset, size);
  const std::uint64_t half = most.count / 2;
  return without_middle(TRY(text_at(fd, offset, half)),
                        TRY(text_at(fd, offset + size - half, half)), size);
}

std::uint64_t offset_of(const Content& content) {
  return content.part ? content.part->offset : 0;
}

Status copy_whole(const Content& from, int to) {
  const auto block = std::make_unique_for_overwrite<char[]>(kBlock);
  const std::uint64_t size = TRY(size_of(from)).count;
  for (std::uint64_t at = 0; at < size;) {
    const std::size_t got =
        TRY(read_at(from.file->get(), block.get(), std::min<std::uint64_t>(kBlock, size - at),
                    offset_of(from) + at));
    if (got == 0) return {};  // cut since
    TRY_STATUS(os::write_all(to, {block.get(), got}));
    at += got;
  }
  return {};
}

}  // namespace

Result<os::OwnedFd> sealed(const Content& content) {
  if (!content.file) return os::sealed_memory("content", content.text);
  os::OwnedFd copy = TRY(nameless_file());
  TRY_STATUS(copy_whole(content, copy.get()));
  TRY_STATUS(seal(copy.get()));
  return copy;
}

Result<std::string> whole(const Content& content, Bytes most) {
  const Bytes size = TRY(size_of(content));
  if (size > most) return invalid("larger than " + format_bytes(most));
  if (!content.file) return content.text;
  return text_at(content.file->get(), offset_of(content), size.count);
}

Result<os::OwnedFd> nameless_file() {
  return os::memory("assay");
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

Result<Bytes> size_of(const Content& content) {
  if (content.file && content.part) return Bytes{content.part->size};
  if (content.file) return size_of(content.file->get());
  return Bytes{content.text.size()};
}

Result<std::string> head_and_tail(int fd, Bytes most) {
  return head_and_tail(fd, {.size = TRY(size_of(fd)).count}, most);
}

Result<std::string> head_and_tail(const Content& content, Bytes most) {
  if (content.file)
    return head_and_tail(content.file->get(),
                         {.offset = offset_of(content), .size = TRY(size_of(content)).count}, most);
  const std::string_view text = content.text;
  if (text.size() <= most.count) return content.text;
  const std::uint64_t half = most.count / 2;
  return without_middle(text.substr(0, half), text.substr(text.size() - half), text.size());
}

}  // namespace assay::judge
