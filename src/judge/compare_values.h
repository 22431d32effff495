// Tokens as numbers. Private to the comparisons.
#pragma once

#include <string_view>

#include "judge/compare.h"

namespace assay::judge {

// A decimal number: [+-] digits [. digits] [e [+-] digits], with a digit before or after the point.
// nan, inf, hexadecimal and digit separators are no numbers. Too small for a double is 0.
struct Decimal {
  enum class Kind { NotANumber, TooLarge, Finite };
  Kind kind = Kind::NotANumber;
  double value = 0;
  [[nodiscard]] bool is_finite() const { return kind == Kind::Finite; }
};
Decimal parse_decimal(std::string_view text);

// The shortest text of the same integer; empty if it is no integer.
struct Integer {
  bool valid = false;
  bool negative = false;      // never of 0
  std::string_view digits{};  // without leading zeros; empty is 0
  bool operator==(const Integer&) const = default;
};
Integer parse_integer(std::string_view text);

enum class Match { Same, Different, NotFinite, Malformed, BadAnswer };

// Of two tokens that are not the same text.
Match compare_values(std::string_view output, std::string_view answer,
                     const Comparison& comparison);

}  // namespace assay::judge
