#include "judge/compare_walk.h"

#include <algorithm>

#include "judge/compare_values.h"
#include "judge/compare_walker.h"

namespace assay::judge {
namespace {

Reason reason_of(Match match, Values values) {
  switch (match) {
    case Match::BadAnswer:
      return Reason::BadAnswer;
    case Match::NotFinite:
      return Reason::NotFinite;
    case Match::Malformed:
      return values == Values::Floats     ? Reason::NotANumber
             : values == Values::Integers ? Reason::NotAnInteger
                                          : Reason::NotYesNo;
    case Match::Same:
    case Match::Different:
      break;
  }
  return Reason::Differs;
}

bool is_line_end(Place place) {
  return place == Place::End || place == Place::LineEnd;
}

constexpr bool is_blank_in_line(char c) {
  return c != '\n' && is_blank(c);
}

}  // namespace

Status Walk::fill() {
  if (comparison_.values == Values::Text) {
    TRY_STATUS(output_.fill_forgetting());
    return answer_.fill_forgetting();
  }
  TRY_STATUS(output_.fill());
  return answer_.fill();
}

Result<std::optional<Difference>> Walk::run() {
  for (;;) {
    if (output_.left() == 0 || answer_.left() == 0) TRY_STATUS(fill());
    skip_common();
    if (step_in_window()) continue;
    if (output_.is_at_end() && answer_.is_at_end()) return std::nullopt;
    if ((output_.left() == 0 && !output_.is_whole()) ||
        (answer_.left() == 0 && !answer_.is_whole()))
      continue;
    const Step next = TRY(step());
    if (next == Step::Done) return std::nullopt;
    if (next == Step::Differs) return difference_;
  }
}

void Walk::skip_common() {
  const std::size_t size = std::min(output_.left(), answer_.left());
  skip_both(common_prefix(output_.at(), answer_.at(), size));
}

Walk::Step Walk::differs(Reason reason) {
  const bool all_counts = comparison_.gaps == Gaps::Exact && comparison_.values == Values::Text;
  const bool joined = all_counts || in_token_;
  difference_ = {output_.offset(), answer_.offset(), reason, joined};
  return Step::Differs;
}

Result<Walk::Step> Walk::step() {
  const bool different = tokens_differ();
  if (different && comparison_.values != Values::Text) return step_over_values();
  switch (comparison_.gaps) {
    case Gaps::Exact:
      return differs();
    case Gaps::CarriageReturn:
    case Gaps::Trailing:
      return step_over_line_end();
    case Gaps::Lines:
      return different ? differs() : step_over_line_blanks();
    case Gaps::Any:
      return different ? differs() : step_over_gap();
  }
  return differs();
}

template <typename Skipped>
Status Walk::skip(Window& side, Skipped skipped) {
  for (;;) {
    const std::string_view rest = side.rest();
    std::size_t count = 0;
    while (count < rest.size() && skipped(rest[count]))
      ++count;
    side.advance(count);
    if (side.left() > 0 || side.is_whole()) return {};
    TRY_STATUS(side.fill());
  }
}

Result<Walk::Step> Walk::step_over_gap() {
  TRY_STATUS(skip(output_, is_blank));
  TRY_STATUS(skip(answer_, is_blank));
  in_token_ = false;
  if (output_.is_at_end() && answer_.is_at_end()) return Step::Done;
  return output_.is_at_end() || answer_.is_at_end() ? differs() : Step::GoOn;
}

// One side is over: only lines that do not count may follow on the other.
template <typename Skipped>
Result<Walk::Step> Walk::step_to_end(Window& longer, Skipped skipped) {
  TRY_STATUS(skip(longer, skipped));
  return longer.is_at_end() ? Step::Done : differs();
}

Result<Walk::Step> Walk::step_over_line_blanks() {
  TRY_STATUS(skip(output_, is_blank_in_line));
  TRY_STATUS(skip(answer_, is_blank_in_line));
  in_token_ = false;
  const Place output = place_of(output_);
  const Place answer = place_of(answer_);
  if (output == answer) return output == Place::End ? Step::Done : Step::GoOn;
  if (!is_line_end(output) || !is_line_end(answer)) return differs();
  return step_to_end(output == Place::End ? answer_ : output_, is_blank);
}

Result<Walk::Step> Walk::step_over_line_end() {
  difference_ = {output_.offset(), answer_.offset(), Reason::Differs, true};  // before the blanks
  const bool only_cr = comparison_.gaps == Gaps::CarriageReturn;
  const auto skipped = [=](char c) {
    return only_cr ? c == '\r' : is_blank_in_line(c);
  };
  TRY_STATUS(skip(output_, skipped));
  TRY_STATUS(skip(answer_, skipped));
  const Place output = place_of(output_);
  const Place answer = place_of(answer_);
  in_token_ = false;
  if (!is_line_end(output) || !is_line_end(answer)) return Step::Differs;
  if (output == answer) return output == Place::End ? Step::Done : Step::GoOn;
  const auto skipped_at_end = [=](char c) {
    return c == '\n' || skipped(c);
  };
  return step_to_end(output == Place::End ? answer_ : output_, skipped_at_end);
}

// The token that at() is `behind` bytes into; nothing when it is longer than any number.
Result<std::optional<std::string_view>> Walk::token(Window& side, std::size_t behind) {
  std::size_t length = 0;
  for (;;) {
    const std::string_view rest = side.rest();
    while (length < rest.size() && !is_blank(rest[length]))
      ++length;
    if (behind + length > kLongestNumber) return std::nullopt;
    if (length < rest.size() || side.is_whole())
      return std::string_view(side.at() - behind, behind + length);
    TRY_STATUS(side.more(behind));
  }
}

Result<Walk::Step> Walk::step_over_values() {
  const std::size_t behind = in_token_ ? output_.token_behind() : 0;
  if (behind > kLongestNumber) return differs(Reason::TooLong);
  const auto found = TRY(token(output_, behind));
  const auto expected = TRY(token(answer_, behind));
  if (!found || !expected) return differs(Reason::TooLong);
  const Match match = compare_values(*found, *expected, comparison_);
  if (match != Match::Same) return differs(reason_of(match, comparison_.values));
  output_.advance(found->size() - behind);
  answer_.advance(expected->size() - behind);
  in_token_ = true;
  return Step::GoOn;
}

Result<std::optional<Difference>> first_difference(const Side& output, const Side& answer,
                                                   const Comparison& comparison) {
  Window left = TRY(Window::over(output, comparison.ignore_case));
  Window right = TRY(Window::over(answer, comparison.ignore_case));
  return Walk(std::move(left), std::move(right), comparison).run();
}

}  // namespace assay::judge
