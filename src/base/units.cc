#include "base/units.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <optional>

namespace assay {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array kByteUnits{
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"k", 1ULL << 10},
    Unit{"kb", 1ULL << 10},
    Unit{"kib", 1ULL << 10},
    Unit{"m", 1ULL << 20},
    Unit{"mb", 1ULL << 20},
    Unit{"mib", 1ULL << 20},
    Unit{"g", 1ULL << 30},
    Unit{"gb", 1ULL << 30},
    Unit{"gib", 1ULL << 30},
    Unit{"t", 1ULL << 40},
    Unit{"tb", 1ULL << 40},
    Unit{"tib", 1ULL << 40},
};

constexpr std::array kTimeUnits{
    Unit{"ns", 1},
    Unit{"us", 1'000},
    Unit{"ms", 1'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"min", 60'000'000'000},
    Unit{"h", 3'600'000'000'000},
};

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

template <std::size_t N>
std::optional<std::uint64_t> factor_of(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.factor;
  return std::nullopt;
}

struct Quantity {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;  // in billionths
  std::string unit;
};

constexpr std::uint64_t kBillion = 1'000'000'000;

// Digits after the point, as billionths; more than nine of them are cut.
std::uint64_t billionths(std::string_view digits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 9; ++i)
    value = value * 10 + (i < digits.size() ? static_cast<std::uint64_t>(digits[i] - '0') : 0);
  return value;
}

Result<Quantity> split(std::string_view text) {
  Quantity quantity;
  const auto wrong = [&](std::string_view why) {
    return invalid("'" + std::string(text) + "' " + std::string(why));
  };
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), quantity.whole);
  if (error == std::errc::result_out_of_range) return wrong("is too large");
  if (error != std::errc{}) return wrong("does not start with a number of 0 or more");
  std::string_view tail = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (tail.starts_with('.')) {
    const std::size_t end = std::min(tail.find_first_not_of("0123456789", 1), tail.size());
    if (end == 1) return wrong("has no digits after the point");
    quantity.fraction = billionths(tail.substr(1, end - 1));
    tail = tail.substr(end);
  }
  quantity.unit = lowered(tail.starts_with(' ') ? tail.substr(1) : tail);
  return quantity;
}

Result<std::uint64_t> scale(const Quantity& quantity, std::uint64_t factor, std::uint64_t most,
                            std::string_view text) {
  __extension__ using Wide = unsigned __int128;
  const Wide value = Wide{quantity.whole} * factor + Wide{quantity.fraction} * factor / kBillion;
  if (value > most) return invalid("'" + std::string(text) + "' is too large");
  return static_cast<std::uint64_t>(value);
}

std::string printed(const char* format, double value) {
  std::array<char, 48> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), format, value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

Result<Bytes> parse_bytes(std::string_view text) {
  const Quantity quantity = TRY(split(text));
  const auto factor = factor_of(kByteUnits, quantity.unit);
  if (!factor)
    return invalid("'" + std::string(text) + "' has no known unit: use B, KiB, MiB, GiB or TiB");
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return Bytes{TRY(scale(quantity, *factor, kMost, text))};
}

Result<Nanoseconds> parse_duration(std::string_view text) {
  const Quantity quantity = TRY(split(text));
  const auto factor = factor_of(kTimeUnits, quantity.unit);
  if (!factor)
    return invalid("'" + std::string(text) + "' needs a unit of time: ns, us, ms, s, m or h");
  constexpr std::uint64_t kYear = 365ULL * 24 * 3600 * kBillion;
  return Nanoseconds(static_cast<std::int64_t>(TRY(scale(quantity, *factor, kYear, text))));
}

Result<std::uint64_t> parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || value < least || value > most)
    return invalid("'" + std::string(text) + "' is not a number from " + std::to_string(least) +
                   " to " + std::to_string(most));
  return value;
}

std::string format_bytes(Bytes bytes) {
  const auto value = static_cast<double>(bytes.count);
  if (bytes.count < (1ULL << 10)) return std::to_string(bytes.count) + " B";
  if (bytes.count < (1ULL << 20)) return printed("%.1f KiB", value / (1 << 10));
  if (bytes.count < (1ULL << 30)) return printed("%.1f MiB", value / (1 << 20));
  return printed("%.2f GiB", value / (1 << 30));
}

std::string format_duration(Nanoseconds value) {
  const auto ns = static_cast<double>(value.count());
  if (value.count() < 1'000'000) return printed("%.1f us", ns / 1e3);
  if (value.count() < 1'000'000'000) return printed("%.2f ms", ns / 1e6);
  return printed("%.3f s", ns / 1e9);
}

}  // namespace assay
