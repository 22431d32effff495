// The scalars of reader.h.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "wire/reader.h"
#include "wire/scan.h"
#include "wire/utf8.h"

namespace assay::wire {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_surrogate(std::uint32_t point) {
  return point >= 0xD800 && point <= 0xDFFF;
}

// The quote that ends the string, or npos. Backslashes before a quote are counted, each once.
std::size_t closing_quote(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('"', from); at != text.npos; at = text.find('"', at + 1)) {
    std::size_t slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] == '\\')
      ++slashes;
    if (slashes % 2 == 0) return at;
  }
  return text.npos;
}

}  // namespace

Status Reader::text(std::string& out) {
  switch (peek()) {
    case Kind::Text:
      return quoted(out);
    case Kind::Null:
      at_ += 4;
      return {};
    default:
      return mismatch("string");
  }
}

Status Reader::name(std::string& out) {
  TRY_STATUS(text(out));
  if (out.find('\0') != out.npos) return fail("has a NUL character in it");
  return {};
}

Status Reader::end() {
  pass_space();
  return at_ == text_.size() ? Status{} : syntax("the end");
}

Status Reader::flag(bool& out) {
  switch (peek()) {
    case Kind::True:
      out = true;
      at_ += 4;
      return {};
    case Kind::False:
      out = false;
      at_ += 5;
      return {};
    case Kind::Null:
      at_ += 4;
      return {};
    default:
      return mismatch("true or false");
  }
}

Status Reader::read_key(std::string& unescaped) {
  const std::size_t begin = at_ + 1;
  const std::size_t stop = plain_end<'"', '\\'>(text_, begin);
  std::string_view& key = steps_[depth_ - 1].key;
  if (stop < text_.size() && text_[stop] == '"') {
    key = text_.substr(begin, stop - begin);
    at_ = stop + 1;
    return {};
  }
  --depth_;  // a key that cannot be read is an error of its object
  TRY_STATUS(quoted(unescaped));
  ++depth_;
  key = unescaped;
  return {};
}

Status Reader::quoted(std::string& out) {
  const std::size_t begin = at_ + 1;
  const std::size_t stop = plain_end<'"', '\\'>(text_, begin);
  if (stop < text_.size() && text_[stop] == '"') {
    out.assign(text_, begin, stop - begin);
    at_ = stop + 1;
    return {};
  }
  // The whole length first: a large string is then allocated once.
  const std::size_t end = closing_quote(text_, stop);
  if (end == text_.npos) return syntax_at(at_, "a string has no end");
  out.clear();
  out.reserve(end - begin);
  at_ = begin;
  TRY_STATUS(unescape(out, end));
  at_ = end + 1;
  return {};
}

Status Reader::unescape(std::string& out, std::size_t end) {
  const std::string_view body = text_.substr(0, end);
  while (true) {
    const std::size_t stop = plain_end<'\\'>(body, at_);
    out.append(body, at_, stop - at_);
    at_ = stop;
    if (at_ == end) return {};
    TRY_STATUS(special(out, body));
  }
}

// What plain_end stops at: an escape, a control character, or a run of what is not ASCII.
Status Reader::special(std::string& out, std::string_view body) {
  if (body[at_] == '\\') return escape(out);
  if (static_cast<unsigned char>(body[at_]) < 0x20)
    return syntax_at(at_, fmt::format("{} in a string", found()));
  const std::size_t begin = at_;
  while (at_ < body.size() && static_cast<unsigned char>(body[at_]) >= 0x80) {
    const std::size_t length = sequence_length(body, at_);
    if (length == 0) break;
    at_ += length;
  }
  if (at_ > begin) {
    out.append(body, begin, at_ - begin);
  } else {
    out += kReplacement;
    ++at_;
  }
  return {};
}

Status Reader::escape(std::string& out) {
  constexpr std::string_view kNamed = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  const char kind = text_[at_ + 1];  // there is one: the closing quote is further on
  if (kind == 'u') return escaped_point(out);
  const std::size_t which = kNamed.find(kind);
  if (which == kNamed.npos) return syntax_at(at_, "unknown escape in a string");
  out += kMeant[which];
  at_ += 2;
  return {};
}

bool Reader::four_digits(std::size_t at, std::uint32_t& value) const {
  const std::string_view digits = text_.substr(std::min(at, text_.size()), 4);
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return digits.size() == 4 && parsed.ptr == digits.data() + 4;
}

Status Reader::escaped_point(std::string& out) {
  std::uint32_t point = 0, low = 0;
  if (!four_digits(at_ + 2, point)) return syntax_at(at_, "\\u needs four hexadecimal digits");
  at_ += 6;
  if (!is_surrogate(point)) {
    append_code_point(out, point);
    return {};
  }
  const bool pair = point < 0xDC00 && text_.substr(at_, 2) == "\\u" && four_digits(at_ + 2, low) &&
                    low >= 0xDC00 && low <= 0xDFFF;
  append_code_point(out, pair ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD);
  if (pair) at_ += 6;
  return {};
}

Result<std::string_view> Reader::number() {
  const std::size_t begin = at_;
  const auto digits = [this] {
    const std::size_t first = at_;
    while (is_digit(here()))
      ++at_;
    return at_ > first;
  };
  if (here() == '-') ++at_;
  if (here() == '0')
    ++at_;
  else if (!digits())
    return syntax("a digit");
  if (here() == '.') {
    ++at_;
    if (!digits()) return syntax("a digit");
  }
  if (here() == 'e' || here() == 'E') {
    ++at_;
    if (here() == '+' || here() == '-') ++at_;
    if (!digits()) return syntax("a digit");
  }
  return text_.substr(begin, at_ - begin);
}

Status Reader::count(std::uint64_t& out, std::uint64_t most) {
  if (take_null()) return {};
  if (peek() != Kind::Number) return mismatch("integer >= 0");
  const std::string_view token = TRY(number());
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
  const std::string_view shown = token.substr(0, 40);
  if (token[0] == '-' || parsed.ptr != token.data() + token.size())
    return fail(fmt::format("expected integer >= 0, got {}", shown));
  if (parsed.ec != std::errc{} || value > most)
    return fail(fmt::format("expected integer <= {}, got {}", most, shown));
  out = value;
  return {};
}

Status Reader::real(double& out, double least, double most) {
  if (take_null()) return {};
  const auto expected = [&] {
    return fmt::format("number from {} to {}", least, most);
  };
  if (peek() != Kind::Number) return mismatch(expected());
  const std::string_view token = TRY(number());
  double value = 0;
  const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == token.data() + token.size();
  if (!whole || !(value >= least && value <= most))
    return fail(fmt::format("expected {}, got {}", expected(), token.substr(0, 40)));
  out = value;
  return {};
}

Status Reader::integer(std::int64_t& out, std::int64_t least, std::int64_t most) {
  if (take_null()) return {};
  const auto expected = [&] {
    return fmt::format("integer from {} to {}", least, most);
  };
  if (peek() != Kind::Number) return mismatch(expected());
  const std::string_view token = TRY(number());
  std::int64_t value = 0;
  const auto parsed = std::from_chars(token.data(), token.data() + token.size(), value);
  const bool whole = parsed.ec == std::errc{} && parsed.ptr == token.data() + token.size();
  if (!whole || value < least || value > most)
    return fail(fmt::format("expected {}, got {}", expected(), token.substr(0, 40)));
  out = value;
  return {};
}

}  // namespace assay::wire
