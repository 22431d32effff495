// testlib's exit codes, default build and -DEJUDGE, and its words on stderr.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "judge/protocol_words.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

struct ExitMeaning {
  int code = 0;
  Verdict verdict = Verdict::JudgeFailed;
};

constexpr std::array kExitCodes = {
    ExitMeaning{0, Verdict::Accepted},          ExitMeaning{1, Verdict::WrongAnswer},
    ExitMeaning{2, Verdict::PresentationError}, ExitMeaning{3, Verdict::JudgeFailed},
    ExitMeaning{4, Verdict::PresentationError},  // _dirt, or PE of -DEJUDGE
    ExitMeaning{5, Verdict::WrongAnswer},        // of -DEJUDGE
    ExitMeaning{6, Verdict::JudgeFailed},        // of -DEJUDGE
    ExitMeaning{8, Verdict::PresentationError},  // unexpected end of file
};
constexpr int kPoints = 7;
// What quitf(_pc(n)) exits with: n itself, or past a base that depends on the build.
constexpr std::array kPartialBases = {0, 16, 50};
constexpr std::string_view kPartialWords = "partially correct (";
constexpr std::string_view kPointsWord = "points ";

// The n of "partially correct (n)", where it agrees with the exit code. The words are needed: n of
// 0 to 8 exits like something else, and any other code is also that of a program that broke or
// speaks another protocol.
std::optional<int> partial_in_words(int code, std::string_view errors) {
  if (!errors.starts_with(kPartialWords)) return std::nullopt;
  errors.remove_prefix(kPartialWords.size());
  int percent = 0;
  const auto parsed = std::from_chars(errors.data(), errors.data() + errors.size(), percent);
  if (parsed.ec != std::errc{} || parsed.ptr == errors.data() + errors.size() || *parsed.ptr != ')')
    return std::nullopt;
  const bool agrees = std::ranges::any_of(
      kPartialBases, [=](int base) { return percent >= 0 && code == ((base + percent) & 0xff); });
  return agrees ? std::optional(percent) : std::nullopt;
}

CheckResult partial(int percent, std::string message) {
  if (percent > 100)
    return failed(fmt::format("the checker gave {} of 100 points: {}", percent, message));
  return from_share(percent / 100.0, std::move(message));
}

CheckResult points(std::string_view errors, std::string message) {
  const auto end = std::min(errors.find_first_of(" \t\r\n", kPointsWord.size()), errors.size());
  const auto value = errors.starts_with(kPointsWord)
                         ? number_in(errors.substr(kPointsWord.size(), end - kPointsWord.size()))
                         : std::nullopt;
  if (!value || *value < 0)
    return failed("the checker gave points (exit code 7) but did not say how many: " + message);
  return {.verdict = Verdict::PartiallyCorrect,
          .score = Score{.unit = Score::Unit::Points, .value = *value},
          .message = std::move(message)};
}

}  // namespace

CheckResult interpret_testlib(int code, const CheckerRun& run, std::size_t limit) {
  std::string message = message_from(run.errors, limit);
  if (const auto percent = partial_in_words(code, run.errors))
    return partial(*percent, std::move(message));
  if (code == kPoints) return points(run.errors, std::move(message));
  for (const ExitMeaning& meaning : kExitCodes)
    if (meaning.code == code) return {.verdict = meaning.verdict, .message = std::move(message)};
  return failed(fmt::format("the checker exited with code {}, which testlib does not know{}{}",
                            code, message.empty() ? "" : ": ", message));
}

}  // namespace assay::judge
