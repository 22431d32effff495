#include "judge/crash_signs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <vector>

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

// Letters and digits, which is what remains when somebody repeats a text in his own way.
std::string essence(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z')
      kept += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      kept += c;
  }
  return kept;
}

// Both texts are strangers', so there are neither many signs nor long ones.
constexpr std::size_t kMostSigns = 8;
constexpr std::size_t kLongestSign = 64;

// The signs that begin lines, each once: their essences. No more than `most`.
std::vector<std::string> signs_in(const Language& language, std::string_view errors,
                                  std::size_t most) {
  std::vector<std::string> found;
  for (const std::string& sign : language.crashes) {
    const std::regex expression(sign, std::regex::optimize);
    for (std::string_view rest = errors; !rest.empty() && found.size() < most;) {
      const std::string_view head = take_head_of_line(rest);
      std::match_results<std::string_view::const_iterator> match;
      if (!std::regex_search(head.begin(), head.end(), match, expression,
                             std::regex_constants::match_continuous))
        continue;
      std::string text =
          essence(head.substr(0, static_cast<std::size_t>(match.length()))).substr(0, kLongestSign);
      if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
    }
  }
  return found;
}

// Looks for one text in another that comes in pieces, in time that is linear whatever they are
// (Knuth, Morris and Pratt).
class Finder {
 public:
  explicit Finder(std::string wanted) : wanted_(std::move(wanted)), shorter_(wanted_.size(), 0) {
    for (std::size_t i = 1; i < wanted_.size(); ++i) {
      matched_ = after(wanted_[i]);
      shorter_[i] = matched_;
    }
    matched_ = 0;
  }

  void read(std::string_view piece) {
    for (std::size_t i = 0; i < piece.size() && !found(); ++i)
      matched_ = after(piece[i]);
  }
  [[nodiscard]] bool found() const { return matched_ == wanted_.size(); }

 private:
  [[nodiscard]] std::size_t after(char c) const {
    std::size_t length = matched_;
    while (length > 0 && wanted_[length] != c)
      length = shorter_[length - 1];
    return wanted_[length] == c ? length + 1 : length;
  }

  std::string wanted_;
  std::vector<std::size_t> shorter_;  // by what is matched: the longest end that is a beginning
  std::size_t matched_ = 0;
};

// Those in which the code alone can say no.
bool reads_the_code_alone(Protocol protocol) {
  return protocol == Protocol::Testlib || protocol == Protocol::ExitCode;
}

}  // namespace

Judged all_of(int file) {
  return [file](const std::function<void(std::string_view)>& take) {
    std::string piece(1 << 20, '\0');
    for (off_t at = 0;;) {
      const ssize_t got = ::pread(file, piece.data(), piece.size(), at);
      if (got <= 0) return got == 0;
      take(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
      at += got;
    }
  };
}

bool reports_crash(const Language& language, std::string_view errors) {
  return !signs_in(language, errors, 1).empty();
}

bool reports_crash(const Language& language, std::string_view errors, const Judged& judged) {
  std::vector<Finder> finders;
  for (std::string& sign : signs_in(language, errors, kMostSigns))
    finders.emplace_back(std::move(sign));
  const bool known = judged([&](std::string_view piece) {
    const std::string heard = essence(piece);
    for (Finder& finder : finders)
      finder.read(heard);
  });
  return known && !std::ranges::all_of(finders, &Finder::found);
}

bool may_hide_crashes(const Language& language, Protocol protocol) {
  return reads_the_code_alone(protocol) && !language.crashes.empty();
}

CheckResult unless_crashed(CheckResult result, const Language& language, Protocol protocol,
                           const CheckerRun& run, const Judged& judged) {
  const bool no =
      result.verdict == Verdict::WrongAnswer || result.verdict == Verdict::PresentationError;
  if (!no || !may_hide_crashes(language, protocol) || has_decided(trimmed(run.errors)) ||
      !reports_crash(language, run.errors))
    return result;
  if (judged && !reports_crash(language, run.errors, judged)) return result;
  return failed("the checker ended with an error that nobody caught: " + result.message);
}

}  // namespace assay::judge
