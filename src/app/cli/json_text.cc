#include "app/cli/json_text.h"

#include <cstdint>

namespace assay::cli {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// What a leading byte promises: how many bytes follow, and the smallest code point that needs them.
struct Lead {
  std::size_t following = 0;
  std::uint32_t bits = 0;
  std::uint32_t least = 0;
  bool valid = true;
};

Lead lead_of(unsigned byte) {
  if (byte < 0x80) return {.bits = byte};
  if ((byte & 0xE0) == 0xC0) return {.following = 1, .bits = byte & 0x1F, .least = 0x80};
  if ((byte & 0xF0) == 0xE0) return {.following = 2, .bits = byte & 0x0F, .least = 0x800};
  if ((byte & 0xF8) == 0xF0) return {.following = 3, .bits = byte & 0x07, .least = 0x10000};
  return {.valid = false};
}

// The length of the UTF-8 sequence that begins here; 0 if none does (also overlong, surrogate or
// too large ones).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const Lead lead = lead_of(byte_at(text, at));
  if (!lead.valid || text.size() - at <= lead.following) return 0;
  std::uint32_t point = lead.bits;
  for (std::size_t next = at + 1; next <= at + lead.following; ++next) {
    if ((byte_at(text, next) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte_at(text, next) & 0x3F);
  }
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < lead.least || point > 0x10FFFF || surrogate ? 0 : lead.following + 1;
}

std::string escaped(unsigned byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (byte >= 0x20 && byte != 0x7F) return std::string(1, static_cast<char>(byte));
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 0xF];
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  quoted.reserve(text.size() + 2);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0)
      quoted += kReplacement;
    else if (length == 1)
      quoted += escaped(byte_at(text, at));
    else
      quoted += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return quoted + '"';
}

}  // namespace assay::cli
