#include "judge/unpacker/zip_names.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::judge::unpacker {
namespace {

constexpr std::size_t kEndSize = 22;  // of the end record, without its comment
constexpr std::size_t kMostTail = kEndSize + 0xffff;
constexpr std::size_t kHeadSize = 46;  // of an entry in the directory, without its name

std::uint32_t number(std::string_view bytes, std::size_t at, unsigned size) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

std::string read_at(int file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  const ssize_t got = ::pread(file, bytes.data(), size, static_cast<off_t>(offset));
  bytes.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return bytes;
}

// Where the directory begins; past the end when there is none. The last record that is whole
// counts, as for libarchive: bytes that look like the beginning of another must not hide it.
std::uint64_t directory_of(int file, std::uint64_t size) {
  const std::size_t tail = std::min<std::uint64_t>(size, kMostTail);
  const std::string bytes = read_at(file, size - tail, tail);
  if (bytes.size() < kEndSize) return size;
  const std::size_t end = bytes.rfind("PK\x05\x06", bytes.size() - kEndSize);
  if (end == std::string::npos) return size;
  return number(bytes, end + 16, 4);
}

}  // namespace

bool zip_has_zero_in_a_name(int file) {
  struct stat status{};
  if (::fstat(file, &status) < 0 || status.st_size < static_cast<off_t>(kEndSize)) return false;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::uint64_t at = directory_of(file, size);
  while (at < size) {
    const std::string head = read_at(file, at, kHeadSize);
    if (head.size() < kHeadSize || !head.starts_with("PK\x01\x02")) return false;
    const std::string name = read_at(file, at + kHeadSize, number(head, 28, 2));
    if (name.find('\0') != std::string::npos) return true;
    at += kHeadSize + name.size() + number(head, 30, 2) + number(head, 32, 2);
  }
  return false;
}

}  // namespace assay::judge::unpacker
