#include "wire/utf8.h"

namespace assay::wire {
namespace {

// What a leading byte promises: how many bytes follow, and the range of the first of them, which is
// what rules out overlong forms, surrogates and points beyond Unicode.
struct Lead {
  std::size_t following = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

constexpr Lead lead_of(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .low = 0xA0};
  if (byte == 0xED) return {.following = 2, .high = 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {.following = 2};
  if (byte == 0xF0) return {.following = 3, .low = 0x90};
  if (byte >= 0xF1 && byte <= 0xF3) return {.following = 3};
  if (byte == 0xF4) return {.following = 3, .high = 0x8F};
  return {};
}

void append_byte(std::string& out, std::uint32_t byte) {
  out += static_cast<char>(static_cast<unsigned char>(byte));
}

}  // namespace

std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t index) {
    return static_cast<unsigned char>(text[index]);
  };
  if (byte(at) < 0x80) return 1;
  const Lead lead = lead_of(byte(at));
  if (lead.following == 0 || text.size() - at <= lead.following) return 0;
  if (byte(at + 1) < lead.low || byte(at + 1) > lead.high) return 0;
  for (std::size_t next = at + 2; next <= at + lead.following; ++next)
    if ((byte(next) & 0xC0) != 0x80) return 0;
  return lead.following + 1;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_code_point(std::string& out, std::uint32_t point) {
  if (point < 0x80) return append_byte(out, point);
  if (point < 0x800) {
    append_byte(out, 0xC0 | point >> 6);
  } else if (point < 0x10000) {
    append_byte(out, 0xE0 | point >> 12);
    append_byte(out, 0x80 | (point >> 6 & 0x3F));
  } else {
    append_byte(out, 0xF0 | point >> 18);
    append_byte(out, 0x80 | (point >> 12 & 0x3F));
    append_byte(out, 0x80 | (point >> 6 & 0x3F));
  }
  append_byte(out, 0x80 | (point & 0x3F));
}

}  // namespace assay::wire
