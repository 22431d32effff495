// ICPC and Kattis output validators: 42, 43 and a feedback directory.
#include <fmt/format.h>

#include "judge/protocol_words.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

constexpr int kAccepted = 42;
constexpr int kWrong = 43;

std::string_view words(const std::optional<std::string>& file, std::string_view otherwise) {
  return file ? std::string_view(*file) : otherwise;
}

CheckResult with_score(CheckResult result, const Feedback& feedback) {
  if (feedback.score && feedback.score_multiplier)
    return failed("the validator wrote both score.txt and score_multiplier.txt");
  if (feedback.score) {
    const auto points = number_in(*feedback.score);
    if (!points || *points < 0)
      return failed("score.txt holds no number of 0 or more: " + message_from(*feedback.score, 60));
    result.score = Score{.unit = Score::Unit::Points, .value = *points};
  }
  if (feedback.score_multiplier) {
    const auto share = number_in(*feedback.score_multiplier);
    if (!share || *share < 0 || *share > 1)
      return failed("score_multiplier.txt holds no number from 0 to 1: " +
                    message_from(*feedback.score_multiplier, 60));
    result.score = Score{.unit = Score::Unit::Share, .value = *share};
    if (*share < 1) result.verdict = Verdict::PartiallyCorrect;
  }
  return result;
}

CheckResult accepted(CheckResult result, const Feedback& feedback) {
  result.verdict = Verdict::Accepted;
  result.another_pass = feedback.next_pass;
  return with_score(std::move(result), feedback);
}

CheckResult wrong(CheckResult result, const Feedback& feedback) {
  if (feedback.score || feedback.score_multiplier)
    return failed("the validator rejected the output (43) but gave it a score");
  if (feedback.next_pass)
    return failed("the validator rejected the output (43) but asked for another pass");
  result.verdict = Verdict::WrongAnswer;
  return result;
}

}  // namespace

CheckResult interpret_icpc(int code, const CheckerRun& run, std::size_t limit) {
  CheckResult result{.message = message_from(words(run.feedback.judge_message, run.errors), limit),
                     .team_message = message_from(words(run.feedback.team_message, ""), limit)};
  if (code == kAccepted) return accepted(std::move(result), run.feedback);
  if (code == kWrong) return wrong(std::move(result), run.feedback);
  return failed(fmt::format("the validator exited with code {} instead of 42 or 43{}{}", code,
                            result.message.empty() ? "" : ": ", result.message));
}

}  // namespace assay::judge
