#include "judge/compare_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

namespace assay::judge {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  return end - at;
}

// [e [+-] digits] from `at` to the end, or nothing at all.
bool is_exponent(std::string_view text, std::size_t at) {
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t digits = digits_at(text, at);
  return digits > 0 && at + digits == text.size();
}

bool is_decimal(std::string_view unsigned_text) {
  const std::size_t whole = digits_at(unsigned_text, 0);
  std::size_t at = whole;
  std::size_t fraction = 0;
  if (at < unsigned_text.size() && unsigned_text[at] == '.') {
    fraction = digits_at(unsigned_text, at + 1);
    at += 1 + fraction;
  }
  return whole + fraction > 0 && is_exponent(unsigned_text, at);
}

// from_chars says only "out of range". A number that is too large has its first digit that counts
// left of the point once the exponent is applied; one that is too small has it to the right.
bool is_too_large(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), e);
  const std::size_t first = text.find_first_of("123456789");
  if (first >= e) return false;
  constexpr long long kFar = 1'000'000'000;  // more than the length of any token
  long long exponent = 0;
  if (e < text.size()) {
    const bool negative = text[e + 1] == '-';
    const std::size_t digits = e + 1 + (is_digit(text[e + 1]) ? 0 : 1);
    const auto parsed = std::from_chars(text.data() + digits, text.data() + text.size(), exponent);
    if (parsed.ec != std::errc{} || exponent > kFar) return !negative;
    if (negative) exponent = -exponent;
  }
  return static_cast<long long>(point) - static_cast<long long>(first) + exponent > 0;
}

// Digits and perhaps a point, few enough that the digits and the power of ten are exact in a
// double: then so is the quotient, rounded once. Nothing when it is anything else.
std::optional<double> quick_decimal(std::string_view unsigned_text) {
  constexpr std::array kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::size_t kMostDigits = 15;
  if (unsigned_text.size() > kMostDigits + 1) return std::nullopt;
  std::uint64_t digits = 0;
  std::size_t count = 0;
  std::size_t before_point = unsigned_text.size();
  for (std::size_t i = 0; i < unsigned_text.size(); ++i) {
    const char c = unsigned_text[i];
    if (c == '.' && before_point == unsigned_text.size()) {
      before_point = i;
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
    ++count;
  }
  if (count == 0 || count > kMostDigits) return std::nullopt;
  return static_cast<double>(digits) / kPowers[count - std::min(before_point, count)];
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

bool is_within(double output, double answer, const Comparison& comparison) {
  const double difference = std::fabs(output - answer);
  const double lost =
      std::max(std::fabs(output), std::fabs(answer)) * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(difference)) return false;
  if (difference <= comparison.absolute.value_or(0) + (comparison.absolute ? lost : 0)) return true;
  return comparison.relative && difference <= *comparison.relative * std::fabs(answer) + lost;
}

Match compare_floats(std::string_view output, std::string_view answer,
                     const Comparison& comparison) {
  const Decimal expected = parse_decimal(answer);
  if (!expected.is_finite()) return comparison.strict ? Match::BadAnswer : Match::Different;
  const Decimal found = parse_decimal(output);
  if (found.kind == Decimal::Kind::NotANumber) return Match::Malformed;
  if (found.kind == Decimal::Kind::TooLarge) return Match::NotFinite;
  return is_within(found.value, expected.value, comparison) ? Match::Same : Match::Different;
}

Match compare_integers(std::string_view output, std::string_view answer, bool strict) {
  const Integer expected = parse_integer(answer);
  if (!expected.valid) return strict ? Match::BadAnswer : Match::Different;
  const Integer found = parse_integer(output);
  if (!found.valid) return Match::Malformed;
  return found == expected ? Match::Same : Match::Different;
}

// Case is gone already: the comparison ignores it.
Match compare_yes_no(std::string_view output, std::string_view answer) {
  const auto is_either = [](std::string_view text) {
    return text == "yes" || text == "no";
  };
  if (!is_either(answer)) return Match::BadAnswer;
  return is_either(output) ? Match::Different : Match::Malformed;
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  const std::string_view rest = without_sign(text);
  if (rest.empty()) return {};
  const double sign = text[0] == '-' ? -1.0 : 1.0;
  if (const auto quick = quick_decimal(rest))
    return {.kind = Decimal::Kind::Finite, .value = sign * *quick};
  if (!is_decimal(rest)) return {};
  double value = 0;
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    if (is_too_large(rest)) return {.kind = Decimal::Kind::TooLarge};
    value = 0;
  }
  if (!std::isfinite(value)) return {.kind = Decimal::Kind::TooLarge};
  return {.kind = Decimal::Kind::Finite, .value = sign * value};
}

Integer parse_integer(std::string_view text) {
  std::string_view digits = without_sign(text);
  if (digits.empty() || digits_at(digits, 0) != digits.size()) return {};
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return {.valid = true, .negative = text[0] == '-' && !digits.empty(), .digits = digits};
}

Match compare_values(std::string_view output, std::string_view answer,
                     const Comparison& comparison) {
  switch (comparison.values) {
    case Values::Text:
      break;
    case Values::Floats:
      return compare_floats(output, answer, comparison);
    case Values::Integers:
      return compare_integers(output, answer, comparison.strict);
    case Values::YesNo:
      return compare_yes_no(output, answer);
  }
  return Match::Different;
}

}  // namespace assay::judge
