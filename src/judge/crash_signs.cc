#include "judge/crash_signs.h"

#include <algorithm>
#include <array>
#include <regex>

#include "judge/checker_text.h"
#include "judge/protocol_words.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

// std::regex recurses once per character: the lines are not ours.
constexpr std::size_t kLongestLine = 500;

// What testlib begins with. Whoever says one of them has decided, whatever follows.
constexpr std::array<std::string_view, 6> kWords = {"ok",   "wrong answer", "wrong output format",
                                                    "FAIL", "points ",      "partially correct ("};

bool has_decided(std::string_view errors) {
  return std::ranges::any_of(kWords,
                             [=](std::string_view word) { return errors.starts_with(word); });
}

bool begins_a_line(const std::regex& sign, std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view head = line.substr(0, kLongestLine);
    if (std::regex_search(head.begin(), head.end(), sign, std::regex_constants::match_continuous))
      return true;
  }
  return false;
}

// Those in which the code alone can say no.
bool reads_the_code_alone(Protocol protocol) {
  return protocol == Protocol::Testlib || protocol == Protocol::ExitCode;
}

}  // namespace

bool reports_crash(const Language& language, std::string_view errors) {
  return std::ranges::any_of(language.crashes, [=](const std::string& sign) {
    return begins_a_line(std::regex(sign, std::regex::optimize), errors);
  });
}

CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run) {
  const bool no =
      result.verdict == Verdict::WrongAnswer || result.verdict == Verdict::PresentationError;
  if (!no || !reads_the_code_alone(protocol) || has_decided(trimmed(run.errors)) ||
      !reports_crash(language, run.errors))
    return result;
  return failed("the checker ended with an error that nobody caught: " + result.message);
}

}  // namespace assay::judge
