#include "wire/base64.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace assay::wire {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoLetter = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoLetter);
  for (std::size_t i = 0; i < kLetters.size(); ++i)
    values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const std::size_t begin = out.size();
  out.resize(begin + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + begin;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t three =
        byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    *to++ = kLetters[three >> 18];
    *to++ = kLetters[three >> 12 & 0x3F];
    *to++ = at + 1 < bytes.size() ? kLetters[three >> 6 & 0x3F] : '=';
    *to++ = at + 2 < bytes.size() ? kLetters[three & 0x3F] : '=';
  }
}

Status decode_base64(std::string& text) {
  if (text.size() % 4 != 0)
    return invalid(fmt::format("not base64: {} letters are no multiple of 4", text.size()));
  std::size_t letters = text.size();
  while (letters > 0 && text.size() - letters < 2 && text[letters - 1] == '=')
    --letters;
  std::size_t to = 0;
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < letters; ++at) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(text[at])];
    if (value == kNoLetter)
      return invalid(fmt::format("not base64: unexpected character at offset {}", at));
    bits = bits << 6 | value;
    // Each letter but the first of four completes a byte; `to` never overtakes `at`.
    if (at % 4 != 0) text[to++] = static_cast<char>(bits >> (6 - at % 4 * 2) & 0xFF);
  }
  text.resize(to);
  return {};
}

}  // namespace assay::wire
