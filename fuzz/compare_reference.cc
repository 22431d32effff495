#include "fuzz/compare_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace assay::fuzz {
namespace {

using judge::Comparison;
using judge::Gaps;
using judge::Order;
using judge::Values;
using verdict::Verdict;
using Words = std::vector<std::string>;

constexpr std::string_view kBlanks = " \t\n\v\f\r";

Words split(std::string_view text, std::string_view separators) {
  Words words{""};
  for (const char c : text) {
    if (separators.find(c) == std::string_view::npos)
      words.back() += c;
    else
      words.emplace_back();
  }
  return words;
}

Words tokens_of(std::string_view text) {
  Words words = split(text, kBlanks);
  std::erase(words, "");
  return words;
}

// Lines without what is free at their ends, and without empty ones at the end of the file.
Words lines_of(std::string_view text, std::string_view free_at_end) {
  Words lines = split(text, "\n");
  for (std::string& line : lines)
    line.erase(line.find_last_not_of(free_at_end) + 1);
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

struct Number {
  bool valid = false;
  double value = 0;
};

Number number_of(const std::string& text) {
  static const std::regex kDecimal("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
  if (!std::regex_match(text, kDecimal)) return {};
  return {.valid = true, .value = std::strtod(text.c_str(), nullptr)};
}

std::optional<std::string> integer_of(const std::string& text) {
  static const std::regex kInteger("[+-]?[0-9]+");
  if (!std::regex_match(text, kInteger)) return std::nullopt;
  const std::size_t first = std::min(text.find_first_of("123456789"), text.size());
  return (text[0] == '-' && first < text.size() ? "-" : "") + text.substr(first);
}

// What two tokens that are not the same text come to; nothing: they are the same.
std::optional<Verdict> compare_floats(const std::string& output, const std::string& answer,
                                      const Comparison& comparison) {
  const Verdict malformed = comparison.strict ? Verdict::PresentationError : Verdict::WrongAnswer;
  const Number expected = number_of(answer);
  if (!expected.valid || !std::isfinite(expected.value))
    return comparison.strict ? Verdict::JudgeFailed : Verdict::WrongAnswer;
  const Number found = number_of(output);
  if (!found.valid || !std::isfinite(found.value)) return malformed;
  const double distance = std::fabs(found.value - expected.value);
  const double lost = std::max(std::fabs(found.value), std::fabs(expected.value)) *
                      std::numeric_limits<double>::epsilon();
  if (!std::isfinite(distance)) return Verdict::WrongAnswer;
  if (distance == 0) return std::nullopt;
  if (comparison.absolute && distance <= *comparison.absolute + lost) return std::nullopt;
  if (comparison.relative && distance <= *comparison.relative * std::fabs(expected.value) + lost)
    return std::nullopt;
  return Verdict::WrongAnswer;
}

std::optional<Verdict> compare_integers(const std::string& output, const std::string& answer,
                                        const Comparison& comparison) {
  const auto expected = integer_of(answer);
  if (!expected) return comparison.strict ? Verdict::JudgeFailed : Verdict::WrongAnswer;
  const auto found = integer_of(output);
  if (!found) return comparison.strict ? Verdict::PresentationError : Verdict::WrongAnswer;
  return *found == *expected ? std::nullopt : std::optional(Verdict::WrongAnswer);
}

std::optional<Verdict> compare_tokens(const std::string& output, const std::string& answer,
                                      const Comparison& comparison) {
  if (output == answer) return std::nullopt;
  const auto is_either = [](const std::string& text) {
    return text == "yes" || text == "no";
  };
  switch (comparison.values) {
    case Values::Text:
      return Verdict::WrongAnswer;
    case Values::Floats:
      return compare_floats(output, answer, comparison);
    case Values::Integers:
      return compare_integers(output, answer, comparison);
    case Values::YesNo:
      if (!is_either(answer)) return Verdict::JudgeFailed;
      return is_either(output) ? Verdict::WrongAnswer : Verdict::PresentationError;
  }
  return Verdict::WrongAnswer;
}

std::optional<Verdict> compare_sequences(const Words& output, const Words& answer,
                                         const Comparison& comparison) {
  for (std::size_t i = 0; i < std::min(output.size(), answer.size()); ++i)
    if (const auto difference = compare_tokens(output[i], answer[i], comparison)) return difference;
  return output.size() == answer.size() ? std::nullopt : std::optional(Verdict::WrongAnswer);
}

std::optional<Verdict> compare_lines(const Words& output, const Words& answer,
                                     const Comparison& comparison) {
  for (std::size_t i = 0; i < std::min(output.size(), answer.size()); ++i)
    if (const auto difference =
            compare_sequences(tokens_of(output[i]), tokens_of(answer[i]), comparison))
      return difference;
  return output.size() == answer.size() ? std::nullopt : std::optional(Verdict::WrongAnswer);
}

std::optional<Verdict> in_order(const std::string& output, const std::string& answer,
                                const Comparison& comparison) {
  constexpr std::string_view kInLine = " \t\v\f\r";
  const auto same = [](const Words& a, const Words& b) {
    return a == b ? std::nullopt : std::optional(Verdict::WrongAnswer);
  };
  switch (comparison.gaps) {
    case Gaps::Exact:
      return output == answer ? std::nullopt : std::optional(Verdict::WrongAnswer);
    case Gaps::CarriageReturn:
      return same(lines_of(output, "\r"), lines_of(answer, "\r"));
    case Gaps::Trailing:
      return same(lines_of(output, kInLine), lines_of(answer, kInLine));
    case Gaps::Lines:
      return compare_lines(lines_of(output, kInLine), lines_of(answer, kInLine), comparison);
    case Gaps::Any:
      return compare_sequences(tokens_of(output), tokens_of(answer), comparison);
  }
  return Verdict::WrongAnswer;
}

struct Bag {
  std::map<std::string, std::size_t> items{};
  bool malformed = false;
};

Bag bag_of(std::string_view text, const Comparison& comparison) {
  Words items = comparison.order == Order::AnyLines ? lines_of(text, " \t\v\f\r") : tokens_of(text);
  std::erase(items, "");
  Bag bag;
  for (const std::string& item : items) {
    const auto integer =
        comparison.values == Values::Integers ? integer_of(item) : std::optional(item);
    bag.malformed |= !integer;
    ++bag.items[integer.value_or(item)];
  }
  return bag;
}

Verdict in_any_order(const std::string& output, const std::string& answer,
                     const Comparison& comparison) {
  Comparison ordered = comparison;
  ordered.gaps = comparison.order == Order::AnyLines ? Gaps::Trailing : Gaps::Any;
  if (!in_order(output, answer, ordered)) return Verdict::Accepted;
  const Bag expected = bag_of(answer, comparison);
  const Bag found = bag_of(output, comparison);
  if (comparison.strict && expected.malformed) return Verdict::JudgeFailed;
  if (comparison.strict && found.malformed) return Verdict::PresentationError;
  return found.items == expected.items ? Verdict::Accepted : Verdict::WrongAnswer;
}

}  // namespace

Verdict expected_verdict(std::string_view output, std::string_view answer,
                         const Comparison& comparison) {
  const std::string left = comparison.ignore_case ? lower(output) : std::string(output);
  const std::string right = comparison.ignore_case ? lower(answer) : std::string(answer);
  if (comparison.order != Order::Given) return in_any_order(left, right, comparison);
  const auto difference = in_order(left, right, comparison);
  if (!difference) return Verdict::Accepted;
  if (comparison.presentation && difference == Verdict::WrongAnswer &&
      tokens_of(left) == tokens_of(right))
    return Verdict::PresentationError;
  return *difference;
}

}  // namespace assay::fuzz
