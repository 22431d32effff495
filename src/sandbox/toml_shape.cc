#include "sandbox/toml_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::sandbox {
namespace {

constexpr std::size_t kMostParts = 16;  // of one key
// toml++ looks through a list of all tables that keys and headers made whenever it meets one again:
// a megabyte of them would take minutes.
constexpr std::size_t kMostLinks = 100'000;  // dots and '['
// Two bytes of text are some two hundred in the tree and in ours.
constexpr std::size_t kMostValues = 400'000;  // '=' and ','

// Walks as toml++ does over all that it takes for TOML. Where the text is none the two may part,
// but there toml++ ends, too.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::optional<TomlTrouble> trouble() {
    while (at_ < text_.size()) {
      if (std::optional<TomlTrouble> found = step()) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<TomlTrouble> step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      skip_string(c);
      return std::nullopt;
    }
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return std::nullopt;
    }
    if (c == '.' || c == '[') ++links_;
    if (c == '.') ++parts_;
    if (c == '=' || c == ',') ++values_;
    if (std::string_view("\n=,[]{}").contains(c)) parts_ = 1;
    if (parts_ > kMostParts) return here(fmt::format("a key of more than {} parts", kMostParts));
    if (links_ > kMostLinks)
      return here(fmt::format("more than {} tables, arrays and dotted keys", kMostLinks));
    if (values_ > kMostValues) return here(fmt::format("more than {} values", kMostValues));
    ++at_;
    return std::nullopt;
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multi_line = text_.substr(at_).starts_with(three);
    const std::string_view end = multi_line ? three : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end))
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + end.size(), text_.size());
    // Up to two quotes may stand before those that end it.
    for (int more = 0; multi_line && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more)
      ++at_;
  }

  [[nodiscard]] TomlTrouble here(std::string why) const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
    return {.line = static_cast<unsigned>(1 + std::ranges::count(before, '\n')),
            .column = static_cast<unsigned>(1 + at_ - line),
            .why = std::move(why)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t parts_ = 1;
  std::size_t links_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

std::optional<TomlTrouble> trouble_with_shape(std::string_view toml) {
  return Walk(toml).trouble();
}

}  // namespace assay::sandbox
