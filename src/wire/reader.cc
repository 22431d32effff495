#include "wire/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/writer.h"

namespace assay::wire {
namespace {

constexpr std::size_t kShownKey = 64;  // of a key in an error message

bool is_word(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
  });
}

}  // namespace

void Reader::pass_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

Reader::Kind Reader::peek() {
  pass_space();
  switch (here()) {
    case '{':
      return Kind::Object;
    case '[':
      return Kind::Array;
    case '"':
      return Kind::Text;
    case 't':
      return text_.substr(at_, 4) == "true" ? Kind::True : Kind::Other;
    case 'f':
      return text_.substr(at_, 5) == "false" ? Kind::False : Kind::Other;
    case 'n':
      return text_.substr(at_, 4) == "null" ? Kind::Null : Kind::Other;
    default:
      return here() == '-' || (here() >= '0' && here() <= '9') ? Kind::Number : Kind::Other;
  }
}

bool Reader::take_null() {
  if (peek() != Kind::Null) return false;
  at_ += 4;
  return true;
}

Status Reader::enter(Kind kind) {
  if (peek() != kind) return mismatch(kind == Kind::Object ? "object" : "array");
  if (depth_ == kMaxDepth) return fail(fmt::format("nested deeper than {} levels", kMaxDepth));
  ++at_;
  steps_[depth_++] = {.key = {}, .count = 0, .in_array = kind == Kind::Array};
  return {};
}

// Whether another value follows in the innermost container; if not, it has been left.
Result<bool> Reader::next_value(char close) {
  Step& step = steps_[depth_ - 1];
  pass_space();
  if (here() == close) {
    ++at_;
    --depth_;
    return false;
  }
  if (step.count > 0) {
    if (here() != ',') {
      --depth_;  // the error is about the container, not about its last value
      return syntax(close == '}' ? "',' or '}'" : "',' or ']'");
    }
    ++at_;
  }
  ++step.count;
  if (++values_ > kMaxValues) {
    --depth_;
    return fail(fmt::format("the request has more than {} values", kMaxValues));
  }
  return true;
}

Result<bool> Reader::next_element() {
  return next_value(']');
}

Result<bool> Reader::next_member(std::string& unescaped) {
  if (!TRY(next_value('}'))) return false;
  pass_space();
  if (here() != '"') {
    --depth_;
    return syntax("a key in quotes");
  }
  TRY_STATUS(read_key(unescaped));
  pass_space();
  if (here() != ':') return syntax("':'");
  ++at_;
  return true;
}

Status Reader::skip() {
  switch (peek()) {
    case Kind::Object:
      return members([this](std::string_view) { return skip(); });
    case Kind::Array:
      return elements([this] { return skip(); });
    case Kind::Text: {
      std::string ignored;
      return quoted(ignored);
    }
    case Kind::Number:
      (void)TRY(number());
      return {};
    case Kind::Null:
    case Kind::True:
      at_ += 4;
      return {};
    case Kind::False:
      at_ += 5;
      return {};
    case Kind::Other:
      break;
  }
  return syntax("a value");
}

std::string Reader::path() const {
  std::string path = "$";
  for (std::size_t level = 0; level < depth_; ++level) {
    const Step& step = steps_[level];
    if (step.in_array) {
      path += fmt::format("[{}]", step.count - 1);
    } else if (is_word(step.key) && step.key.size() <= kShownKey) {
      path += '.';
      path += step.key;
    } else {
      path += '[';
      append_text(path, step.key.substr(0, kShownKey));
      path += ']';
    }
  }
  return path;
}

std::unexpected<Error> Reader::fail(std::string_view reason) const {
  return invalid(fmt::format("{}: {}", path(), reason));
}

std::string Reader::found() const {
  if (at_ >= text_.size()) return "the end of the input";
  const auto byte = static_cast<unsigned char>(text_[at_]);
  return byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", text_[at_])
                                    : fmt::format("byte 0x{:02x}", byte);
}

std::unexpected<Error> Reader::syntax(std::string_view expected) const {
  return syntax_at(at_, fmt::format("expected {}, got {}", expected, found()));
}

std::unexpected<Error> Reader::syntax_at(std::size_t at, std::string_view what) const {
  const std::string_view before = text_.substr(0, at);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return fail(fmt::format("JSON syntax error at line {} column {}: {}", line, column, what));
}

std::unexpected<Error> Reader::mismatch(std::string_view expected) {
  const auto wrong = [&](std::string_view got) {
    return fail(fmt::format("expected {}, got {}", expected, got));
  };
  switch (peek()) {
    case Kind::Object:
      return wrong("object");
    case Kind::Array:
      return wrong("array");
    case Kind::Text:
      return wrong("string");
    case Kind::True:
      return wrong("true");
    case Kind::False:
      return wrong("false");
    case Kind::Null:
      return wrong("null");
    case Kind::Number: {
      const auto token = number();
      if (!token) return std::unexpected(token.error());
      return wrong(token->substr(0, kShownKey));
    }
    case Kind::Other:
      break;
  }
  return syntax(expected);
}

}  // namespace assay::wire
