#include "judge/compare_items.h"

#include <algorithm>

#include "judge/compare_values.h"

namespace assay::judge {
namespace {

std::size_t without_end_blanks(std::string_view text) {
  std::size_t size = text.size();
  while (size > 0 && is_blank(text[size - 1]))
    --size;
  return size;
}

}  // namespace

Items::Items(Window window, const Comparison& comparison, HashKey key)
    : window_(std::move(window)),
      by_line_(comparison.order == Order::AnyLines),
      integers_(!by_line_ && comparison.values == Values::Integers),
      key_(key) {}

Result<Items> Items::of(const Side& side, const Comparison& comparison, HashKey key) {
  return Items(TRY(Window::over(side, comparison.ignore_case)), comparison, key);
}

// A line begins with its first byte, a token with the first that is not blank.
void Items::skip_to_start() {
  const std::string_view rest = window_.rest();
  std::size_t count = 0;
  while (count < rest.size() && (by_line_ ? rest[count] == '\n' : is_blank(rest[count])))
    ++count;
  window_.advance(count);
}

std::size_t Items::end_in(std::string_view text) const {
  if (by_line_) return std::min(text.find('\n'), text.size());
  std::size_t end = 0;
  while (end < text.size() && !is_blank(text[end]))
    ++end;
  return end;
}

Item Items::whole(std::string_view text, std::uint64_t offset) const {
  Hasher hasher(key_);
  if (!integers_ || text.size() > kLongestNumber) {
    hasher.update(text);
    return {.hash = hasher.finish(), .offset = offset};
  }
  const Integer integer = parse_integer(text);
  if (integer.negative) hasher.update("-");
  hasher.update(integer.valid ? integer.digits : text);
  return {.hash = hasher.finish(), .offset = offset, .malformed = !integer.valid};
}

// It does not fit into the window. Blanks are the end of a line only if nothing follows, so the
// hash that counts is the one up to the last byte that is not blank.
Result<std::optional<Item>> Items::in_pieces() {
  const std::uint64_t offset = window_.offset();
  Hasher all(key_);
  Hasher up_to_text = all;
  bool empty = true;
  for (;;) {
    const std::string_view rest = window_.rest();
    const std::string_view piece = rest.substr(0, end_in(rest));
    const std::size_t text = without_end_blanks(piece);
    if (text > 0) {
      all.update(piece.substr(0, text));
      up_to_text = all;
      empty = false;
    }
    all.update(piece.substr(text));
    window_.advance(piece.size());
    if (piece.size() < rest.size() || window_.is_whole()) break;
    TRY_STATUS(window_.fill_forgetting());
  }
  if (empty) return std::nullopt;
  return Item{.hash = up_to_text.finish(), .offset = offset};
}

std::optional<Item> Items::in_window() {
  for (;;) {
    skip_to_start();
    const std::string_view rest = window_.rest();
    const std::size_t end = end_in(rest);
    if (end == rest.size() && (end == 0 || !window_.is_whole())) return std::nullopt;
    const std::uint64_t offset = window_.offset();
    window_.advance(end);
    if (const std::size_t size = without_end_blanks(rest.substr(0, end)); size > 0)
      return whole(rest.substr(0, size), offset);
  }
}

Status Items::read_on() {
  const bool came = TRY(window_.more());
  is_huge_ = !came && !window_.is_whole();
  return {};
}

}  // namespace assay::judge
