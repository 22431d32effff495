// Reads JSON straight into our values, without a tree between: one pass, one copy of each string.
// Strict where Go's decoder is (grammar, integers) and forgiving where it is (null is absent,
// broken UTF-8 and lone surrogates become U+FFFD, what follows the value is nobody's business).
// Knows where it is, so that an error can say so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::wire {

class Reader {
 public:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxValues = 1'000'000;  // each may cost us some hundred bytes

  enum class Kind { Object, Array, Text, Number, True, False, Null, Other };

  explicit Reader(std::string_view text) : text_(text) {}

  // What comes next; white space before it is passed.
  Kind peek();
  bool take_null();  // whether there was one

  // `decode` is called with each key (or nothing, for elements) and must read the value.
  template <typename Decode>
  Status members(Decode&& decode) {
    TRY_STATUS(enter(Kind::Object));
    std::string unescaped;
    while (TRY(next_member(unescaped)))
      TRY_STATUS(decode(steps_[depth_ - 1].key));
    return {};
  }
  template <typename Decode>
  Status elements(Decode&& decode) {
    TRY_STATUS(enter(Kind::Array));
    while (TRY(next_element()))
      TRY_STATUS(decode());
    return {};
  }

  // Values. Null leaves `out` as it was.
  Status text(std::string& out);
  Status name(std::string& out);  // text for the kernel: no NUL in it
  Status flag(bool& out);
  Status count(std::uint64_t& out, std::uint64_t most = UINT64_MAX);
  Status integer(std::int64_t& out, std::int64_t least, std::int64_t most);
  Status real(double& out, double least, double most);
  Status skip();
  Status end();  // nothing but white space follows; for those who are stricter than Go

  // The text of what was read since then.
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] std::string_view text_since(std::size_t position) const {
    return text_.substr(position, at_ - position);
  }

  // "<path>: <reason>"
  [[nodiscard]] std::unexpected<Error> fail(std::string_view reason) const;

 private:
  struct Step {  // into a container that is being read
    std::string_view key{};
    std::size_t count = 0;
    bool in_array = false;
  };

  Status enter(Kind kind);
  Result<bool> next_member(std::string& unescaped);
  Result<bool> next_element();
  Result<bool> next_value(char close);
  Status read_key(std::string& unescaped);
  Status quoted(std::string& out);
  Status unescape(std::string& out, std::size_t end);
  Status special(std::string& out, std::string_view body);
  Status escape(std::string& out);
  Status escaped_point(std::string& out);
  [[nodiscard]] bool four_digits(std::size_t at, std::uint32_t& value) const;
  Result<std::string_view> number();
  std::unexpected<Error> mismatch(std::string_view expected);
  [[nodiscard]] std::unexpected<Error> syntax(std::string_view expected) const;
  [[nodiscard]] std::unexpected<Error> syntax_at(std::size_t at, std::string_view what) const;
  void pass_space();
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string found() const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t values_ = 0;
  std::array<Step, kMaxDepth> steps_{};  // the first depth_ are in use
};

}  // namespace assay::wire
