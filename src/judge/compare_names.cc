#include "judge/compare_names.h"

#include <array>
#include <vector>

#include "judge/checker_text.h"
#include "judge/compare_values.h"

namespace assay::judge {
namespace {

constexpr Comparison kTokens{};
constexpr Comparison kTokensIgnoringCase{.ignore_case = true};

constexpr Comparison floats(std::optional<double> absolute, std::optional<double> relative,
                            bool strict) {
  return {.values = Values::Floats, .absolute = absolute, .relative = relative, .strict = strict};
}

constexpr Comparison integers(bool strict, Order order = Order::Given) {
  return {.values = Values::Integers, .order = order, .strict = strict};
}

constexpr Comparison kYesNo{.values = Values::YesNo, .ignore_case = true, .strict = true};
constexpr Comparison kExact{.gaps = Gaps::Exact};
constexpr Comparison kLines{.gaps = Gaps::Trailing};
constexpr Comparison kLineTokens{.gaps = Gaps::Lines};
constexpr Comparison kAnyLines{.gaps = Gaps::Trailing, .order = Order::AnyLines};

constexpr auto kNames = std::to_array<NamedComparison>({
    {"exact", kExact, {}, "byte by byte"},
    {"identical", kExact, {}, "exact"},
    {"exact-pe",
     {.gaps = Gaps::Exact, .presentation = true},
     {},
     "exact; only blanks differ: presentation error"},
    {"lines", kLines, {}, "line by line; blanks at line ends and blank lines at the end are free"},
    {"rstripped", kLines, {}, "lines"},
    {"noj", kLines, {}, "lines"},
    {"lines-pe",
     {.gaps = Gaps::Trailing, .presentation = true},
     {},
     "lines; only blanks differ: presentation error"},
    {"fcmp", {.gaps = Gaps::CarriageReturn}, {}, "line by line; only \\r at line ends is free"},
    {"line-tokens", kLineTokens, {}, "line by line, the tokens of each"},
    {"lcmp", kLineTokens, {}, "line-tokens"},
    {"white-diff", kLineTokens, {}, "line-tokens, as CMS compares"},
    {"tokens", kTokens, {}, "token by token"},
    {"wcmp", kTokens, {}, "tokens"},
    {"tokens-icase", kTokensIgnoringCase, {}, "tokens; a and A are the same"},
    {"icpc", kTokensIgnoringCase, Arguments::IcpcFlags, "the ICPC default validator"},
    {"kattis", kTokensIgnoringCase, Arguments::IcpcFlags, "icpc"},
    {"default", kTokensIgnoringCase, Arguments::IcpcFlags, "icpc"},
    {"floats", floats(1e-6, 1e-6, false), Arguments::Tolerance,
     "tokens; numbers within a tolerance, absolute or relative (1e-6)"},
    {"rcmp", floats(1.5e-6, {}, true), {}, "numbers, absolute 1.5e-6"},
    {"acmp", floats(1.5e-6, {}, true), {}, "numbers, absolute 1.5e-6"},
    {"rncmp", floats(1.5e-5, {}, true), {}, "numbers, absolute 1.5e-5"},
    {"dcmp", floats(1e-6, 1e-6, true), {}, "numbers, absolute or relative 1e-6"},
    {"rcmp4", floats(1e-4, 1e-4, true), {}, "numbers, absolute or relative 1e-4"},
    {"rcmp6", floats(1e-6, 1e-6, true), {}, "numbers, absolute or relative 1e-6"},
    {"rcmp9", floats(1e-9, 1e-9, true), {}, "numbers, absolute or relative 1e-9"},
    {"numbers", integers(false), {}, "tokens; integers of any size by value"},
    {"ncmp", integers(true), {}, "integers"},
    {"icmp", integers(true), {}, "integers"},
    {"hcmp", integers(true), {}, "integers"},
    {"unordered", kAnyLines, {}, "the same lines in any order"},
    {"sorted", kAnyLines, {}, "unordered"},
    {"unordered-tokens", {.order = Order::AnyTokens}, {}, "the same tokens in any order"},
    {"uncmp", integers(true, Order::AnyTokens), {}, "the same integers in any order"},
    {"yes-no", kYesNo, {}, "yes or no, in any case, once or more"},
    {"yesno", kYesNo, {}, "yes-no"},
    {"nyesno", kYesNo, {}, "yes-no"},
});

struct Flag {
  std::string_view name{};
  bool case_sensitive = false, gaps_count = false;
  bool absolute = false, relative = false;  // followed by the tolerance
};

constexpr auto kIcpcFlags = std::to_array<Flag>({
    {.name = "case_sensitive", .case_sensitive = true},
    {.name = "space_change_sensitive", .gaps_count = true},
    {.name = "float_absolute_tolerance", .absolute = true},
    {.name = "float_relative_tolerance", .relative = true},
    {.name = "float_tolerance", .absolute = true, .relative = true},
});

const Flag* flag_named(std::string_view name) {
  for (const Flag& flag : kIcpcFlags)
    if (flag.name == name) return &flag;
  return nullptr;
}

std::string quoted(std::string_view text) {
  return "'" + safe_text(text, 60) + "'";
}

Result<double> tolerance(std::string_view text) {
  const Decimal parsed = parse_decimal(text);
  if (!parsed.is_finite() || parsed.value < 0)
    return invalid("the tolerance " + quoted(text) + " is not a finite number of 0 or more");
  return parsed.value;
}

using Words = std::vector<std::string_view>;

// A flag at words[at]; the index of its last word.
Result<std::size_t> apply_flag(const Flag& flag, const Words& words, std::size_t at,
                               Comparison& comparison) {
  if (flag.case_sensitive) comparison.ignore_case = false;
  if (flag.gaps_count) comparison.gaps = Gaps::Exact;
  if (!flag.absolute && !flag.relative) return at;
  if (at + 1 == words.size()) return invalid(quoted(flag.name) + " needs a tolerance after it");
  const double value = TRY(tolerance(words[at + 1]));
  comparison.values = Values::Floats;
  if (flag.absolute) comparison.absolute = value;
  if (flag.relative) comparison.relative = value;
  return at + 1;
}

Result<Comparison> with_flags(const NamedComparison& named, const Words& words) {
  Comparison comparison = named.comparison;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const Flag* flag = flag_named(words[at]);
    if (flag == nullptr) return invalid("the ICPC validator has no flag " + quoted(words[at]));
    at = TRY(apply_flag(*flag, words, at, comparison));
  }
  return comparison;
}

Result<Comparison> with_tolerance(const NamedComparison& named, const Words& words) {
  if (words.empty()) return named.comparison;
  Comparison comparison = named.comparison;
  comparison.absolute = comparison.relative = {};
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view word = words[at];
    const Flag* flag = flag_named(word);
    if (flag != nullptr && (flag->absolute || flag->relative))
      at = TRY(apply_flag(*flag, words, at, comparison));
    else if (word.starts_with("abs="))
      comparison.absolute = TRY(tolerance(word.substr(4)));
    else if (word.starts_with("rel="))
      comparison.relative = TRY(tolerance(word.substr(4)));
    else
      comparison.absolute = comparison.relative = TRY(tolerance(word));
  }
  return comparison;
}

Result<Comparison> resolve(const NamedComparison& named, const Words& words) {
  if (named.arguments == Arguments::IcpcFlags) return with_flags(named, words);
  if (named.arguments == Arguments::Tolerance) return with_tolerance(named, words);
  if (!words.empty())
    return invalid("the checker " + quoted(named.name) + " takes no argument, but " +
                   quoted(words[0]) + " was given");
  return named.comparison;
}

void append_words(Words& words, std::string_view text) {
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t length = std::min(text.find_first_of(" \t\r\n\v\f"), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace

std::span<const NamedComparison> comparisons() {
  return kNames;
}

Result<Comparison> comparison_named(std::string_view name, std::span<const std::string> arguments) {
  Words words;
  append_words(words, name);
  for (const std::string& argument : arguments)
    append_words(words, argument);
  if (words.empty()) return invalid("the checker has no name");
  if (flag_named(words[0]) != nullptr) words.insert(words.begin(), "icpc");
  for (const NamedComparison& named : kNames)
    if (named.name == words[0]) return resolve(named, Words(words.begin() + 1, words.end()));
  return invalid("there is no built-in checker " + quoted(words[0]));
}

}  // namespace assay::judge
