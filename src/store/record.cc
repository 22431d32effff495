#include "store/record.h"

#include <array>
#include <charconv>
#include <cstdint>

#include "store/digest.h"

namespace assay::store {
namespace {

constexpr std::string_view kVersion = "assay1";
constexpr std::size_t kLongestLink = 1000;  // XFS takes 1023 bytes, others up to 4095

std::string_view next_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  if (end == std::string_view::npos) return std::exchange(text, {});
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end + 1);
  return word;
}

template <typename Number>
std::optional<Number> number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string encode(const Record& record) {
  const auto added =
      std::chrono::duration_cast<std::chrono::nanoseconds>(record.added.time_since_epoch());
  std::string text(kVersion);
  text.reserve(128 + record.name.size());
  text += ' ';
  text += record.digest;
  text += ' ';
  text += std::to_string(record.size.count);
  text += ' ';
  text += word_of(record.form);
  text += ' ';
  text += std::to_string(added.count());
  text += ' ';
  text += record.name;  // last and unquoted: it may hold anything
  return text;
}

std::optional<Record> decode_record(std::string_view text) {
  if (next_word(text) != kVersion) return std::nullopt;
  const std::string_view digest = next_word(text);
  const auto size = number<std::uint64_t>(next_word(text));
  const auto form = form_of(next_word(text));
  const auto added = number<std::int64_t>(next_word(text));
  if (!is_digest(digest) || !size || !form || !added) return std::nullopt;
  return Record{.digest = std::string(digest),
                .size = Bytes{*size},
                .form = *form,
                .added = std::chrono::system_clock::time_point(std::chrono::nanoseconds(*added)),
                .name = std::string(text)};
}

bool fits_a_link(std::string_view encoded) {
  return encoded.size() <= kLongestLink && !encoded.contains('\0');
}

}  // namespace assay::store
