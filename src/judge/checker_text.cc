#include "judge/checker_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace assay::judge {
namespace {

struct Character {
  std::uint32_t point = 0;
  std::size_t length = 0;  // 0: no UTF-8 begins here
};

// Shortest forms only, no surrogates, nothing past U+10FFFF.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  std::uint32_t point = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3fU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return {};
  return {point, length};
}

// What a terminal or a reader would act on instead of showing: controls, line and paragraph
// separators, and the characters that change direction or have no width.
bool is_harmful(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0xad || point == 0x61c ||
         (point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2060 && point <= 0x206f) || point == 0xfeff ||
         (point >= 0xfff9 && point <= 0xfffb) || (point >= 0xe0000 && point <= 0xe007f);
}

void append_escape(std::string& out, std::uint32_t point) {
  switch (point) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += point < 0x100 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
  }
}

}  // namespace

std::string safe_text(std::string_view bytes, std::size_t most, std::string_view ending) {
  std::string out;
  for (std::size_t shown = 0; !bytes.empty(); ++shown) {
    if (shown == most) return out.append(ending);
    const Character next = decode(bytes);
    if (next.length == 0) {
      append_escape(out, static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
      continue;
    }
    if (is_harmful(next.point))
      append_escape(out, next.point);
    else
      out.append(bytes.substr(0, next.length));
    bytes.remove_prefix(next.length);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace assay::judge
