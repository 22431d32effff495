#include "judge/compare_window.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay::judge {
namespace {

// Written so that the compiler makes vector code of it.
void to_lower(char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_upper = static_cast<unsigned char>(c - 'A') < 26;
    text[i] = static_cast<char>(c | (is_upper ? 0x20 : 0));
  }
}

std::size_t first_difference(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t bits = a ^ b;
  const int zeros =
      std::endian::native == std::endian::little ? std::countr_zero(bits) : std::countl_zero(bits);
  return static_cast<std::size_t>(zeros) / 8;
}

// Word by word: for short spans, and to find the place in a block that differs.
std::size_t common_words(const char* a, const char* b, std::size_t size) {
  std::size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::memcpy(&x, a + at, 8);
    std::memcpy(&y, b + at, 8);
    if (x != y) return at + first_difference(x, y);
  }
  while (at < size && a[at] == b[at])
    ++at;
  return at;
}

}  // namespace

std::size_t common_prefix(const char* a, const char* b, std::size_t size) {
  constexpr std::size_t kShort = 64;
  constexpr std::size_t kLongestBlock = 8192;
  std::size_t at = common_words(a, b, std::min(size, kShort));
  if (at < kShort) return at;
  for (std::size_t block = 256; at < size; block = std::min(block * 2, kLongestBlock)) {
    const std::size_t length = std::min(block, size - at);
    if (std::memcmp(a + at, b + at, length) != 0) return at + common_words(a + at, b + at, length);
    at += length;
  }
  return size;
}

std::size_t common_but_blanks(const char* a, const char* b, std::size_t size) {
  constexpr std::size_t kBlock = 64;
  const auto one_blank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return static_cast<unsigned char>(static_cast<unsigned char>(byte - '\t') < 5 ? ' ' : byte);
  };
  std::size_t at = 0;
  for (; at + kBlock <= size; at += kBlock) {
    unsigned char different = 0;  // no early exit inside: vector code again
    for (std::size_t i = at; i < at + kBlock; ++i)
      different = static_cast<unsigned char>(different | (one_blank(a[i]) ^ one_blank(b[i])));
    if (different != 0) break;
  }
  return at;
}

Result<std::size_t> read_side(const Side& side, std::uint64_t offset, std::span<char> buffer) {
  if (side.text) {
    const std::string_view rest =
        side.text->substr(std::min<std::size_t>(offset, side.text->size()));
    return rest.copy(buffer.data(), buffer.size());
  }
  if (side.part) {
    const std::uint64_t left = side.part->size - std::min(side.part->size, offset);
    buffer = buffer.first(std::min<std::uint64_t>(buffer.size(), left));
    offset += side.part->offset;
  }
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t got = ::pread(side.file, buffer.data() + size, buffer.size() - size,
                                static_cast<off_t>(offset + size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read a file to compare");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

Window::Window(const Side& side, std::uint64_t size, bool lower)
    // Never more than the file has: a large buffer for three bytes is memory that malloc asks the
    // kernel for and gives back, on all cores.
    : buffer_(std::make_unique_for_overwrite<char[]>(std::min<std::uint64_t>(size, kCapacity))),
      side_(side),
      size_(size),
      lower_(lower) {}

Result<Window> Window::over(const Side& side, bool lower) {
  if (side.text) return Window(side, side.text->size(), lower);
  struct stat status{};
  if (::fstat(side.file, &status) != 0) return system_error("look at a file to compare");
  if (!S_ISREG(status.st_mode)) return invalid("only regular files can be compared");
  if (side.part) return Window(side, side.part->size, lower);
  return Window(side, static_cast<std::uint64_t>(status.st_size), lower);
}

Result<bool> Window::more(std::size_t keep) {
  const std::size_t from = at_ - keep;
  if (from > 0) {
    std::memmove(buffer_.get(), buffer_.get() + from, end_ - from);
    at_ -= from;
    end_ -= from;
  }
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(kCapacity - end_, size_ - read_));
  const std::size_t got =
      wanted == 0 ? 0 : TRY(read_side(side_, read_, {buffer_.get() + end_, wanted}));
  if (lower_) to_lower(buffer_.get() + end_, got);
  end_ += got;
  read_ += got;
  // Cut since we began: then it ends where it ends now.
  is_whole_ = read_ == size_ || (wanted > 0 && got == 0);
  return got > 0;
}

Status Window::fill() {
  if (left() > 0 || is_whole_) return {};
  TRY_STATUS(more(std::min({token_behind() + 1, behind(), kMostKept})));
  return {};
}

Status Window::fill_forgetting() {
  if (left() > 0 || is_whole_) return {};
  TRY_STATUS(more());
  return {};
}

std::size_t Window::token_behind() const {
  std::size_t length = 0;
  while (length < at_ && length < kMostKept && !is_blank(buffer_[at_ - 1 - length]))
    ++length;
  return length;
}

}  // namespace assay::judge
