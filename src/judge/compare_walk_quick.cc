// The differences that do not count and are wholly in both windows.
#include <algorithm>

#include "judge/compare_values.h"
#include "judge/compare_walker.h"

namespace assay::judge {
namespace {

// How many bytes are skipped; all of them when the end of the window hides what follows.
template <typename Skipped>
std::size_t count_skipped(std::string_view text, Skipped skipped) {
  std::size_t count = 0;
  while (count < text.size() && skipped(text[count]))
    ++count;
  return count;
}

}  // namespace

void Walk::skip_both(std::size_t count) {
  if (count == 0) return;
  in_token_ = !is_blank(output_.at()[count - 1]);
  output_.advance(count);
  answer_.advance(count);
}

// The byte that differs is part of a token on both sides, or of the one that it has to be part of.
bool Walk::tokens_differ() const {
  const bool output_in = place_of(output_) == Place::Token;
  const bool answer_in = place_of(answer_) == Place::Token;
  return in_token_ ? output_in || answer_in : output_in && answer_in;
}

// What step() does, for the difference that is wholly in both windows and does not count: that is
// nearly every one, and a Result for each would cost more than the work. False: step() must see it.
bool Walk::step_in_window() {
  if (output_.left() == 0 || answer_.left() == 0) return false;
  if (tokens_differ()) return comparison_.values != Values::Text && step_over_values_in_window();
  return comparison_.gaps != Gaps::Exact && step_over_gap_in_window();
}

bool Walk::step_over_gap_in_window() {
  const Gaps gaps = comparison_.gaps;
  const auto skipped = [=](char c) {
    return gaps == Gaps::CarriageReturn ? c == '\r'
                                        : is_blank(c) && (gaps == Gaps::Any || c != '\n');
  };
  const std::size_t output = count_skipped(output_.rest(), skipped);
  const std::size_t answer = count_skipped(answer_.rest(), skipped);
  if (output == output_.left() || answer == answer_.left()) return false;
  const char found = output_.at()[output];
  const char expected = answer_.at()[answer];
  const bool both_end_a_line = found == '\n' && expected == '\n';
  const bool both_tokens = !is_blank(found) && !is_blank(expected);
  const bool by_token = gaps == Gaps::Any || gaps == Gaps::Lines;
  if (!both_end_a_line && !(by_token && both_tokens)) return false;
  output_.advance(output);
  answer_.advance(answer);
  in_token_ = false;
  // Gaps of one size often mean newlines here and spaces there, all the way down.
  if (gaps == Gaps::Any && output == answer)
    skip_both(
        common_but_blanks(output_.at(), answer_.at(), std::min(output_.left(), answer_.left())));
  return true;
}

bool Walk::step_over_values_in_window() {
  const auto is_token = [](char c) {
    return !is_blank(c);
  };
  const std::size_t output = count_skipped(output_.rest(), is_token);
  const std::size_t answer = count_skipped(answer_.rest(), is_token);
  if (output == output_.left() || answer == answer_.left()) return false;
  const std::size_t behind = in_token_ ? output_.token_behind() : 0;
  if (behind + std::max(output, answer) > kLongestNumber) return false;
  const std::string_view found(output_.at() - behind, behind + output);
  const std::string_view expected(answer_.at() - behind, behind + answer);
  if (compare_values(found, expected, comparison_) != Match::Same) return false;
  output_.advance(output);
  answer_.advance(answer);
  in_token_ = true;
  return true;
}

}  // namespace assay::judge
