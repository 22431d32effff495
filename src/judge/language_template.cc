#include "judge/language_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace assay::judge {
namespace {

// One word as it grows; quotes make it exist even when it is empty.
class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> split() {
    for (; at_ < line_.size(); ++at_)
      TRY_STATUS(take(line_[at_]));
    finish_word();
    return std::move(words_);
  }

 private:
  Status take(char c) {
    if (c == ' ' || c == '\t' || c == '\n') {
      finish_word();
      return {};
    }
    in_word_ = true;
    if (c == '\'') return take_single();
    if (c == '"') return take_double();
    if (c != '\\') {
      word_ += c;
      return {};
    }
    if (++at_ == line_.size()) return invalid("ends with a backslash");
    word_ += line_[at_];
    return {};
  }

  Status take_single() {
    const std::size_t end = line_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return invalid("has a ' without its other one");
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    return {};
  }

  Status take_double() {
    constexpr std::string_view kEscaped = "\"\\$`";
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      const bool escapes = line_[at_] == '\\' && at_ + 1 < line_.size() &&
                           kEscaped.find(line_[at_ + 1]) != std::string_view::npos;
      if (escapes) ++at_;
      word_ += line_[at_];
    }
    if (at_ >= line_.size()) return invalid("has a \" without its other one");
    return {};
  }

  void finish_word() {
    if (in_word_) words_.push_back(std::exchange(word_, {}));
    in_word_ = false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool in_word_ = false;
  std::string word_;
  std::vector<std::string> words_;
};

// A word in pieces: plain text and names, in their order.
struct Piece {
  std::string_view text{};
  bool is_name = false;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// "{name}" at the beginning of `text`, without the braces; other braces are plain text.
std::optional<std::string_view> name_at(std::string_view text) {
  const std::size_t end = text.find('}');
  if (text.empty() || text[0] != '{' || end == std::string_view::npos || end < 2)
    return std::nullopt;
  const std::string_view name = text.substr(1, end - 1);
  return std::ranges::all_of(name, is_letter) ? std::optional(name) : std::nullopt;
}

std::vector<Piece> pieces_of(std::string_view word) {
  std::vector<Piece> pieces;
  while (!word.empty()) {
    std::size_t length = 1;
    if (word.starts_with("{{")) {
      pieces.push_back({word.substr(0, 1)});
      length = 2;
    } else if (const auto name = name_at(word)) {
      pieces.push_back({*name, true});
      length = name->size() + 2;
    } else {
      pieces.push_back({word.substr(0, 1)});
    }
    word.remove_prefix(length);
  }
  return pieces;
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line) {
  return Splitter(line).split();
}

Status check_template(std::string_view word, std::span<const std::string> texts,
                      std::span<const std::string> lists) {
  const std::vector<Piece> pieces = pieces_of(word);
  for (const Piece& piece : pieces) {
    if (!piece.is_name || std::ranges::find(texts, piece.text) != texts.end()) continue;
    if (std::ranges::find(lists, piece.text) == lists.end())
      return invalid(fmt::format("'{{{}}}' is not known here", piece.text));
    if (pieces.size() != 1)
      return invalid(fmt::format("'{{{}}}' is several words and must stand alone", piece.text));
  }
  return {};
}

std::string fill_in(std::string_view word, const Meanings& values) {
  std::string filled;
  for (const Piece& piece : pieces_of(word)) {
    const auto found = piece.is_name ? values.texts.find(piece.text) : values.texts.end();
    filled += found != values.texts.end() ? std::string_view(found->second) : piece.text;
  }
  return filled;
}

std::vector<std::string> fill_in(const Template& words, const Meanings& values) {
  std::vector<std::string> filled;
  for (const std::string& word : words) {
    const auto name = name_at(word);
    const bool alone = name && name->size() + 2 == word.size();
    const auto list = alone ? values.lists.find(*name) : values.lists.end();
    if (list != values.lists.end())
      filled.insert(filled.end(), list->second.begin(), list->second.end());
    else
      filled.push_back(fill_in(word, values));
  }
  return filled;
}

}  // namespace assay::judge
