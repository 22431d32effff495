#include "judge/language_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "judge/language_template.h"
#include "sandbox/profile.h"

namespace assay::judge {

using sandbox::Entry;
using sandbox::field;
using sandbox::Node;
using sandbox::wrong;

Status read_text(const Node& node, std::string& into) {
  TRY_STATUS(sandbox::read(node, into));
  return into.empty() ? wrong(node.position, "must not be empty") : Status{};
}

Status read_list(const Node& node, std::vector<std::string>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of strings");
  for (const Node& element : *list)
    TRY_STATUS(read_text(element, into.emplace_back()));
  return {};
}

Status read_words(const Node& node, Template& into) {
  if (const auto* line = std::get_if<std::string>(&node.value)) {
    auto words = split_words(*line);
    if (!words) return wrong(node.position, words.error().context);
    into = std::move(*words);
  } else if (std::holds_alternative<Node::List>(node.value)) {
    TRY_STATUS(read_list(node, into));
  } else {
    return wrong(node.position, "must be a command line or an array of words");
  }
  return into.empty() ? wrong(node.position, "must have at least one word") : Status{};
}

Status read_file_name(const Node& node, std::string& into) {
  TRY_STATUS(read_text(node, into));
  const bool plain = into[0] != '/' && into[0] != '-' && !into.ends_with('/') &&
                     !into.contains("//") && !("/" + into + "/").contains("/../") &&
                     !("/" + into + "/").contains("/./");
  if (plain) return {};
  return wrong(node.position, fmt::format("'{}' must be a plain relative path", into));
}

Status read_pattern(const Node& node, std::string& into) {
  TRY_STATUS(read_text(node, into));
  try {
    (void)std::regex(into);
  } catch (const std::regex_error& error) {
    return wrong(node.position, fmt::format("is no regular expression: {}", error.what()));
  }
  return {};
}

Status read_patterns(const Node& node, std::vector<std::string>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of regular expressions");
  for (const Node& element : *list)
    TRY_STATUS(read_pattern(element, into.emplace_back()));
  return {};
}

Status read_profile_name(const Node& node, std::string& into) {
  TRY_STATUS(sandbox::read(node, into));
  if (sandbox::is_profile_name(into)) return {};
  return wrong(node.position, fmt::format("'{}' is no name of a profile", into));
}

Status read_factor(const Node& node, Factor& into) {
  constexpr double kMost = 1000;
  double value = -1;
  if (const auto* number = std::get_if<double>(&node.value)) value = *number;
  if (const auto* number = std::get_if<std::int64_t>(&node.value))
    value = static_cast<double>(*number);
  const double thousandths = value * 1000;
  const bool whole = std::abs(thousandths - std::round(thousandths)) < 1e-6;
  if (!(value > 0 && value <= kMost) || !whole)
    return wrong(node.position,
                 "must be a number above 0, at most 1000, with at most three decimals");
  into.thousandths = static_cast<std::uint64_t>(std::llround(thousandths));
  return {};
}

Status read_variables(const Node& node, std::map<std::string, std::string>& into) {
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return wrong(node.position, "must be a table");
  for (const Entry& entry : *table) {
    const bool good = std::ranges::all_of(entry.key, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
    if (!good || entry.key.empty())
      return wrong(entry.position,
                   fmt::format("'{}' is no name of a variable: letters and '_' only", entry.key));
    TRY_STATUS(read_text(entry.value, into[entry.key]));
  }
  return {};
}

Status read_name_rule(const Node& node, NameRule& into) {
  into = static_cast<NameRule>(TRY(sandbox::read_word(node, {"fixed", "java"})));
  return {};
}

namespace {

Status read_model(const Node& node, MemoryModel& into) {
  into = static_cast<MemoryModel>(TRY(sandbox::read_word(node, {"native", "managed"})));
  return {};
}

Status read_one_exhausted(const Node& node, Exhausted& into) {
  static constexpr std::array kFields{
      field<&Exhausted::exit_code>("exit_code"),
      field<&Exhausted::signal>("signal"),
      field<&Exhausted::errors, read_text>("errors"),
  };
  TRY_STATUS(read_table(node, into, kFields));
  constexpr std::uint64_t kMost = 255;
  const bool fits = into.exit_code.value_or(0) <= kMost && into.signal.value_or(0) <= kMost;
  if (fits && (into.exit_code || into.signal)) return {};
  return wrong(node.position, "needs an 'exit_code' or a 'signal' of at most 255");
}

Status read_exhausted(const Node& node, std::vector<Exhausted>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of tables");
  for (const Node& element : *list)
    TRY_STATUS(read_one_exhausted(element, into.emplace_back()));
  return {};
}

Status read_unknown(const Node& node, bool& drops) {
  drops = TRY(sandbox::read_word(node, {"reject", "drop"})) == 1;
  return {};
}

}  // namespace

Status read_memory_rules(const Node& node, MemoryRules& into) {
  static constexpr std::array kFields{
      field<&MemoryRules::model, read_model>("model"),
      field<&MemoryRules::multiplier, read_factor>("multiplier"),
      field<&MemoryRules::overhead>("overhead"),
      field<&MemoryRules::most_stack>("most_stack"),
      field<&MemoryRules::exhausted, read_exhausted>("exhausted"),
  };
  return read_table(node, into, kFields);
}

Status read_time_rules(const Node& node, TimeRules& into) {
  static constexpr std::array kFields{
      field<&TimeRules::multiplier, read_factor>("multiplier"),
      field<&TimeRules::wall_factor, read_factor>("wall_factor"),
      field<&TimeRules::wall_extra>("wall_extra"),
  };
  return read_table(node, into, kFields);
}

Status read_flag_rules(const Node& node, FlagRules& into) {
  static constexpr std::array kFields{
      field<&FlagRules::allow, read_list>("allow"),
      field<&FlagRules::deny, read_list>("deny"),
      field<&FlagRules::drop_unknown, read_unknown>("unknown"),
  };
  return read_table(node, into, kFields);
}

const Node* find_key(const Node& node, std::string_view key) {
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return nullptr;
  const auto found = std::ranges::find(*table, key, &Entry::key);
  return found == table->end() ? nullptr : &found->value;
}

}  // namespace assay::judge
