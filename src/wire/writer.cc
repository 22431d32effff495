#include "wire/writer.h"

#include <charconv>

#include "wire/scan.h"
#include "wire/utf8.h"

namespace assay::wire {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view kMeant = "\"\\\b\f\n\r\t", kNamed = "\"\\bfnrt";
  if (const std::size_t which = kMeant.find(static_cast<char>(byte)); which != kMeant.npos) {
    out += '\\';
    out += kNamed[which];
    return;
  }
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 0xF];
}

// Everything that is not ASCII, up to the next byte that is. Returns where it stopped.
std::size_t append_foreign(std::string& out, std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (at < text.size() && static_cast<unsigned char>(text[at]) >= 0x80) {
    const std::size_t length = sequence_length(text, at);
    const std::string_view sequence = text.substr(at, length);
    const bool separator = sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9";
    if (length > 0 && !separator) {
      at += length;
      continue;
    }
    out.append(text, begin, at - begin);
    out += length == 0 ? "\\ufffd" : sequence.back() == '\xA8' ? "\\u2028" : "\\u2029";
    at += length == 0 ? 1 : length;
    begin = at;
  }
  out.append(text, begin, at - begin);
  return at;
}

template <typename Number>
void append_digits(std::string& out, Number value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = plain_end<'"', '\\', '<', '>', '&'>(text, at);
    out.append(text, at, stop - at);
    at = stop;
    if (at == text.size()) break;
    if (static_cast<unsigned char>(text[at]) >= 0x80)
      at = append_foreign(out, text, at);
    else
      append_escaped(out, static_cast<unsigned char>(text[at++]));
  }
  out += '"';
}

void append_number(std::string& out, std::int64_t value) {
  append_digits(out, value);
}

void append_count(std::string& out, std::uint64_t value) {
  append_digits(out, value);
}

void Object::separate() {
  if (!empty_) out_ += ',';
  empty_ = false;
}

std::string& Object::value(std::string_view key) {
  separate();
  out_ += '"';
  out_ += key;
  out_ += "\":";
  return out_;
}

std::string& Object::value_of(std::string_view foreign_key) {
  separate();
  append_text(out_, foreign_key);
  out_ += ':';
  return out_;
}

}  // namespace assay::wire
