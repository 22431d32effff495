// Finds the next byte of a JSON string that needs a thought, eight bytes at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::wire {

constexpr bool is_plain(unsigned char byte, std::string_view special) {
  return byte >= 0x20 && byte < 0x80 && special.find(static_cast<char>(byte)) == special.npos;
}

// Bit 7 of each byte of the word that is a control character, not ASCII, or one of `Special`. A
// borrow may mark bytes above a marked one wrongly; the lowest mark is always right.
template <char... Special>
constexpr std::uint64_t marks(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto equal = [&](char c) {
    const std::uint64_t zeroed = word ^ (kOnes * static_cast<unsigned char>(c));
    return (zeroed - kOnes) & ~zeroed;
  };
  return ((word - kOnes * 0x20) | word | (equal(Special) | ...)) & kHigh;
}

// The first position from `at` on that holds such a byte, or the end.
template <char... Special>
std::size_t plain_end(std::string_view text, std::size_t at) {
  static_assert(std::endian::native == std::endian::little);
  constexpr char kSpecial[] = {Special...};
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if (const std::uint64_t found = marks<Special...>(word))
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
  while (at < text.size() &&
         is_plain(static_cast<unsigned char>(text[at]), {kSpecial, sizeof kSpecial}))
    ++at;
  return at;
}

}  // namespace assay::wire
