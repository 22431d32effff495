#include "judge/compare_place.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "judge/checker_text.h"
#include "judge/compare_window.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

constexpr std::size_t kCharactersShown = 40;
constexpr std::uint64_t kBytesBefore = 20;  // of a long line, for context

// Line ends and tokens that begin in at most 255 bytes, in a form that the compiler turns into
// vector code: sums that fit into a byte.
struct Counts {
  std::uint8_t line_ends = 0, tokens = 0;
};
Counts count_block(std::string_view text, bool was_blank) {
  Counts counts;
  counts.line_ends = static_cast<std::uint8_t>(text[0] == '\n');
  counts.tokens = static_cast<std::uint8_t>(was_blank && !is_blank(text[0]));
  for (std::size_t i = 1; i < text.size(); ++i) {
    const int begins =
        static_cast<int>(is_blank(text[i - 1])) & static_cast<int>(!is_blank(text[i]));
    counts.tokens = static_cast<std::uint8_t>(counts.tokens + begins);
    counts.line_ends = static_cast<std::uint8_t>(counts.line_ends + (text[i] == '\n'));
  }
  return counts;
}

void count(Spot& spot, std::string_view text, std::uint64_t offset, bool& was_blank) {
  constexpr std::size_t kBlock = 255;
  const bool begins_blank = was_blank;
  for (std::string_view rest = text; !rest.empty();
       rest.remove_prefix(std::min(kBlock, rest.size()))) {
    const std::string_view block = rest.substr(0, kBlock);
    const Counts counts = count_block(block, was_blank);
    spot.line += counts.line_ends;
    spot.token += counts.tokens;
    was_blank = is_blank(block.back());
  }
  if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos)
    spot.line_start = offset + end + 1;
  std::size_t start = text.size();
  while (start > 0 && is_blank(text[start - 1]))
    --start;
  while (start > 0 && !is_blank(text[start - 1]))
    --start;
  const bool is_there = start < text.size() && !is_blank(text[start]);
  if (is_there && (start > 0 || begins_blank)) spot.token_start = offset + start;
}

std::size_t length_of(std::string_view text, Extent extent) {
  const auto end = std::ranges::find_if(
      text, [=](char c) { return extent == Extent::Token ? is_blank(c) : c == '\n'; });
  const auto length = static_cast<std::size_t>(end - text.begin());
  return extent == Extent::LineAndEnd ? std::min(length + 1, text.size()) : length;
}

std::string_view complaint(Reason reason) {
  switch (reason) {
    case Reason::NotANumber:
      return ", which is not a number";
    case Reason::NotFinite:
      return ", which is too large for a number";
    case Reason::NotAnInteger:
      return ", which is not an integer";
    case Reason::NotYesNo:
      return ", which is neither yes nor no";
    case Reason::TooLong:
      return ", too long for a number and not the same text";
    case Reason::Differs:
    case Reason::BadAnswer:
      break;
  }
  return "";
}

std::string_view wanted(Values values) {
  return values == Values::YesNo      ? "neither yes nor no"
         : values == Values::Integers ? "not an integer"
                                      : "not a number";
}

Verdict verdict_of(Reason reason, bool strict) {
  if (reason == Reason::BadAnswer) return Verdict::JudgeFailed;
  if (reason == Reason::Differs || reason == Reason::TooLong) return Verdict::WrongAnswer;
  return strict ? Verdict::PresentationError : Verdict::WrongAnswer;
}

bool is_by_line(const Comparison& comparison) {
  return comparison.values == Values::Text &&
         (comparison.gaps == Gaps::Exact || comparison.gaps == Gaps::CarriageReturn ||
          comparison.gaps == Gaps::Trailing);
}

Result<std::string> describe_line(const Side& output, const Side& answer,
                                  const Comparison& comparison, const Difference& difference) {
  const Spot spot = TRY(locate(output, difference.output));
  const std::uint64_t column = difference.output - spot.line_start;
  const std::uint64_t before = difference.joined ? column : 0;
  const std::uint64_t cut = before > 2 * kBytesBefore ? before - kBytesBefore : 0;
  const std::uint64_t back = before - cut;
  const Extent extent = comparison.gaps == Gaps::Exact ? Extent::LineAndEnd : Extent::Line;
  const auto expected = TRY(shown(answer, difference.answer - back, extent, "the answer"));
  const auto found = TRY(shown(output, difference.output - back, extent, "the output"));
  return fmt::format("line {}, column {}: expected {}, found {}", spot.line, column + 1, expected,
                     found);
}

}  // namespace

Result<Spot> locate(const Side& side, std::uint64_t offset) {
  Window window = TRY(Window::over(side, false));
  Spot spot;
  bool was_blank = true;
  while (window.offset() < offset) {
    TRY_STATUS(window.fill_forgetting());
    if (window.is_at_end()) break;
    const std::string_view text = window.rest().substr(0, offset - window.offset());
    count(spot, text, window.offset(), was_blank);
    window.advance(text.size());
  }
  return spot;
}

Result<std::string> shown(const Side& side, std::uint64_t offset, Extent extent,
                          std::string_view file) {
  std::array<char, kCharactersShown * 4 + 8> buffer;
  std::string_view text(buffer.data(), TRY(read_side(side, offset, buffer)));
  if (text.empty()) return fmt::format("the end of {}", file);
  const std::size_t length = length_of(text, extent);
  if (length == 0 && extent == Extent::Token)
    return std::string(text[0] == '\n' ? "the end of the line" : "a blank");
  text = text.substr(0, length);
  // We may have begun inside a character: the rest of it would look like damage.
  for (int i = 0; i < 3 && text.size() > 1 && (text[0] & 0xc0) == 0x80; ++i)
    text.remove_prefix(1);
  return fmt::format("\"{}\"", safe_text(text, kCharactersShown));
}

Result<CheckResult> describe(const Side& output, const Side& answer, const Comparison& comparison,
                             const Difference& difference) {
  CheckResult result{.verdict = verdict_of(difference.reason, comparison.strict)};
  if (is_by_line(comparison)) {
    result.message = TRY(describe_line(output, answer, comparison, difference));
    return result;
  }
  const Spot spot = TRY(locate(output, difference.output));
  const std::uint64_t back =
      difference.joined && spot.token > 0 ? difference.output - spot.token_start : 0;
  const std::uint64_t token = spot.token + (difference.joined ? 0 : 1);
  const auto expected = TRY(shown(answer, difference.answer - back, Extent::Token, "the answer"));
  if (difference.reason == Reason::BadAnswer) {
    result.message = fmt::format("token {} of the answer, {}, is {}", token, expected,
                                 wanted(comparison.values));
    return result;
  }
  const auto found = TRY(shown(output, difference.output - back, Extent::Token, "the output"));
  result.message = fmt::format("line {}, token {}: expected {}, found {}{}", spot.line, token,
                               expected, found, complaint(difference.reason));
  return result;
}

}  // namespace assay::judge
