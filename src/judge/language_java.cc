// Just enough of Java to find the types of a file: comments, literals and nesting.
#include <array>

#include "judge/language_sources.h"

namespace assay::judge {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// Words and single punctuation marks; comments are gone and a literal is one '"'.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::string_view next() {
    skip_blanks();
    if (at_ >= text_.size()) return {};
    if (text_[at_] == '"' || text_[at_] == '\'') return skip_literal();
    std::size_t end = at_ + 1;
    while (is_word(text_[at_]) && end < text_.size() && is_word(text_[end]))
      ++end;
    const std::string_view token = text_.substr(at_, end - at_);
    at_ = end;
    return token;
  }

 private:
  void skip_to(std::string_view mark, std::size_t from) {
    const std::size_t found = text_.find(mark, from);
    at_ = found == std::string_view::npos ? text_.size() : found + mark.size();
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//"))
        skip_to("\n", at_);
      else if (rest.starts_with("/*"))
        skip_to("*/", at_ + 2);
      else if (static_cast<unsigned char>(rest[0]) <= ' ')
        ++at_;
      else
        return;
    }
  }

  // From an opening quote to behind the closing one; a text block has three.
  std::string_view skip_literal() {
    const std::string_view start = text_.substr(at_);
    const std::string_view quote = start.substr(0, start.starts_with("\"\"\"") ? 3 : 1);
    at_ += quote.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(quote)) {
      if (quote.size() == 1 && text_[at_] == '\n') break;  // not Java: go on with the next line
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + quote.size(), text_.size());
    return start.substr(0, 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  JavaFile read(std::string_view text) {
    Tokens tokens(text);
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
      if (round_ == 0 && depth_ == 0) see_outside(token);
      if (round_ == 0 && depth_ == 1) see_member(token);
      nest(token);
      before_[1] = before_[0];
      before_[0] = token;
    }
    return std::move(file_);
  }

 private:
  void nest(std::string_view token) {
    if (token == "(") ++round_;
    if (token == ")" && round_ > 0) --round_;
    if (token == "{") ++depth_;
    if (token == "}" && depth_ > 0) --depth_;
    const bool ends_statement = token == ";" || token == "{" || token == "}";
    if (!ends_statement || round_ != 0) return;
    is_public_ = is_static_ = in_package_ = false;
  }

  static bool names_type(std::string_view word) {
    return word == "class" || word == "interface" || word == "enum" || word == "record";
  }

  void see_outside(std::string_view token) {
    if (token == "public") is_public_ = true;
    if (token == "package" && (before_[0].empty() || before_[0] == ")" || is_word(before_[0][0])))
      in_package_ = true;
    else if (in_package_ && token != ";")
      file_.package += token;
    if (!names_type(before_[0]) || !is_word(token[0])) return;
    type_ = token;
    if (file_.first_type.empty()) file_.first_type = type_;
    if (is_public_ && file_.public_type.empty()) file_.public_type = type_;
  }

  // … static … void main (
  void see_member(std::string_view token) {
    if (token == "static") is_static_ = true;
    if (token != "(" || before_[0] != "main" || before_[1] != "void" || !is_static_) return;
    if (file_.main_type.empty() || type_ == file_.public_type) file_.main_type = type_;
  }

  JavaFile file_{};
  std::string type_{};  // the outermost one we are in
  unsigned depth_ = 0;
  unsigned round_ = 0;
  bool is_public_ = false;
  bool is_static_ = false;
  bool in_package_ = false;
  std::array<std::string_view, 2> before_{};  // the last two tokens
};

}  // namespace

JavaFile read_java(std::string_view text) {
  return Reader().read(text);
}

}  // namespace assay::judge
