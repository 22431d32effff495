#include "judge/crash_signs.h"

#include <algorithm>
#include <array>
#include <regex>
#include <unordered_set>

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

std::string_view take_head_of_line(std::string_view& text) {
  const std::string_view line = first_line(text);
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line.substr(0, kLongestLine);
}

// Both texts are strangers': to search one for each line of the other would take minutes.
using Heads = std::unordered_set<std::string_view>;

Heads heads_of_lines(std::string_view text) {
  Heads heads;
  while (!text.empty())
    heads.insert(take_head_of_line(text));
  return heads;
}

bool begins_a_line(const std::regex& sign, std::string_view text, const Heads& judged) {
  while (!text.empty()) {
    const std::string_view head = take_head_of_line(text);
    if (std::regex_search(head.begin(), head.end(), sign, std::regex_constants::match_continuous) &&
        !judged.contains(head))
      return true;
  }
  return false;
}

// Those in which the code alone can say no.
bool reads_the_code_alone(Protocol protocol) {
  return protocol == Protocol::Testlib || protocol == Protocol::ExitCode;
}

}  // namespace

bool reports_crash(const Language& language, std::string_view errors, std::string_view judged) {
  const Heads heads = heads_of_lines(judged);
  return std::ranges::any_of(language.crashes, [&](const std::string& sign) {
    return begins_a_line(std::regex(sign, std::regex::optimize), errors, heads);
  });
}

CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run, const Judged& judged) {
  const bool no =
      result.verdict == Verdict::WrongAnswer || result.verdict == Verdict::PresentationError;
  if (!no || !reads_the_code_alone(protocol) || has_decided(trimmed(run.errors)) ||
      !reports_crash(language, run.errors))
    return result;
  if (judged && !reports_crash(language, run.errors, judged())) return result;
  return failed("the checker ended with an error that nobody caught: " + result.message);
}

}  // namespace assay::judge
