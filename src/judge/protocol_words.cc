#include "judge/protocol_words.h"

#include <algorithm>

#include "judge/checker_text.h"
#include "judge/compare_values.h"

namespace assay::judge {

using verdict::Verdict;

std::string message_from(std::string_view text, std::size_t limit) {
  return safe_text(trimmed(text), limit, "...(truncated)");
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

std::optional<double> number_in(std::string_view text) {
  const std::string_view number = trimmed(text);
  if (number.size() > kLongestNumber) return std::nullopt;
  const Decimal parsed = parse_decimal(number);
  if (!parsed.is_finite()) return std::nullopt;
  return parsed.value;
}

CheckResult from_share(double share, std::string message) {
  const Verdict verdict = share >= 1   ? Verdict::Accepted
                          : share <= 0 ? Verdict::WrongAnswer
                                       : Verdict::PartiallyCorrect;
  return {.verdict = verdict,
          .score = Score{.unit = Score::Unit::Share, .value = share},
          .message = std::move(message)};
}

CheckResult failed(std::string message) {
  return {.verdict = Verdict::JudgeFailed, .message = std::move(message)};
}

}  // namespace assay::judge
