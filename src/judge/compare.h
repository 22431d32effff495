// The built-in comparisons of an output with the answer. The output is hostile, the answer is
// trusted: whatever is in the output, memory is bounded, time is linear and only the answer can be
// to blame for a JudgeFailed. A comparison is a value; the names people use for it are a table
// (compare_names.h).
//
// Blanks are space, \t, \n, \v, \f, \r; every other byte, NUL too, is part of a token. An output
// that has the same bytes as the answer is always right.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "judge/checker.h"
#include "judge/content.h"

namespace assay::judge {

// Which differences between two gaps count.
enum class Gaps {
  Exact,           // all
  CarriageReturn,  // \r before \n does not, nor empty lines at the end
  Trailing,        // blanks at the end of a line do not, nor blank lines at the end
  Lines,           // only the number of lines does, blank ones at the end apart
  Any,             // none: tokens are tokens
};

// When two tokens that differ as text are the same.
enum class Values {
  Text,      // never
  Floats,    // finite decimal numbers within a tolerance
  Integers,  // the same integer, of any size: +007 is 7, -0 is 0
  YesNo,     // never, and a token of the output that is neither yes nor no is malformed
};

enum class Order { Given, AnyLines, AnyTokens };  // blank lines do not count in AnyLines

struct Comparison {
  Gaps gaps = Gaps::Any;
  Values values = Values::Text;
  Order order = Order::Given;
  bool ignore_case = false;  // of ASCII letters
  // Floats: enough if either holds, |output - answer| <= absolute or <= relative * |answer|, give
  // or take the last bit that decimal text loses in a double.
  std::optional<double> absolute{};
  std::optional<double> relative{};
  // Every token of the answer must be a number: one that is not is the judge's fault, and one of
  // the output that is not is a presentation error. Otherwise such tokens are compared as text.
  bool strict = false;
  // A wrong answer whose tokens are right is a presentation error.
  bool presentation = false;
  bool operator==(const Comparison&) const = default;
};

// Numbers of more than this are compared as text; a token may be of any size.
constexpr std::size_t kLongestNumber = std::size_t{64} << 10;

// What is compared: a regular file (memfd and tmpfs too) that is open for reading, whose offset is
// not used, or a text. Borrowed.
struct Side {
  int file = -1;
  std::optional<FilePart> part{};          // of the file; none: all of it
  std::optional<std::string_view> text{};  // instead
};

// An Error is ours: a descriptor that cannot be read.
Result<CheckResult> compare(const Side& output, const Side& answer, const Comparison& comparison);
inline Result<CheckResult> compare(int output, int answer, const Comparison& comparison) {
  return compare(Side{.file = output}, Side{.file = answer}, comparison);
}

}  // namespace assay::judge
