#include "sandbox/warden/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <span>

namespace assay::sandbox::warden {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostErrno = 4095;
constexpr std::uint64_t kArguments = 6;

struct ActionName {
  std::string_view name;
  Action action;
};
constexpr std::array kActions{
    ActionName{"SCMP_ACT_ALLOW", Action::Allow},
    ActionName{"SCMP_ACT_LOG", Action::Log},
    ActionName{"SCMP_ACT_ERRNO", Action::Errno},
    ActionName{"SCMP_ACT_TRAP", Action::Trap},
    ActionName{"SCMP_ACT_KILL", Action::Notify},
    ActionName{"SCMP_ACT_KILL_PROCESS", Action::Notify},
    ActionName{"SCMP_ACT_KILL_THREAD", Action::KillThread},
    ActionName{"SCMP_ACT_NOTIFY", Action::Notify},
};

struct CompareName {
  std::string_view name;
  Compare compare;
};
constexpr std::array kCompares{
    CompareName{"SCMP_CMP_NE", Compare::NotEqual},
    CompareName{"SCMP_CMP_LT", Compare::Less},
    CompareName{"SCMP_CMP_LE", Compare::LessOrEqual},
    CompareName{"SCMP_CMP_EQ", Compare::Equal},
    CompareName{"SCMP_CMP_GE", Compare::GreaterOrEqual},
    CompareName{"SCMP_CMP_GT", Compare::Greater},
    CompareName{"SCMP_CMP_MASKED_EQ", Compare::MaskedEqual},
};

// A JSON object and where it is: "syscalls[3].args[0]".
struct Place {
  const json::object& object;
  std::string path;

  [[nodiscard]] std::string name(std::string_view key) const {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  }
  [[nodiscard]] std::unexpected<Error> wrong(std::string_view key, std::string_view why) const {
    return invalid(fmt::format("{}: {}", name(key), why));
  }
};

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

Status know_keys(const Place& place, std::span<const std::string_view> known) {
  for (const auto& member : place.object) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::ranges::find(known, key) == known.end())
      return place.wrong(key, "unknown key; known are " +
                                  fmt::format("{}", fmt::join(known.begin(), known.end(), ", ")));
  }
  return {};
}

Result<std::string_view> text_of(const Place& place, std::string_view key) {
  const json::value* value = place.object.if_contains(key);
  if (value == nullptr) return place.wrong(key, "missing");
  const json::string* text = value->if_string();
  if (text == nullptr) return place.wrong(key, "must be a string");
  return view(*text);
}

Result<std::optional<std::uint64_t>> number_of(const Place& place, std::string_view key,
                                               std::uint64_t most) {
  const json::value* value = place.object.if_contains(key);
  if (value == nullptr) return std::nullopt;
  std::optional<std::uint64_t> number;
  if (const std::uint64_t* large = value->if_uint64()) number = *large;
  if (const std::int64_t* small = value->if_int64(); small != nullptr && *small >= 0)
    number = static_cast<std::uint64_t>(*small);
  if (!number || *number > most)
    return place.wrong(key, fmt::format("must be a whole number from 0 to {}", most));
  return number;
}

// The elements of an optional array.
Result<std::span<const json::value>> list_of(const Place& place, std::string_view key) {
  const json::value* value = place.object.if_contains(key);
  if (value == nullptr) return std::span<const json::value>{};
  const json::array* array = value->if_array();
  if (array == nullptr) return place.wrong(key, "must be an array");
  return std::span<const json::value>(array->data(), array->size());
}

Result<Place> object_at(const Place& place, std::string_view key, const json::value& element,
                        std::size_t index) {
  const json::object* object = element.if_object();
  if (object == nullptr) return place.wrong(fmt::format("{}[{}]", key, index), "must be an object");
  return Place{*object, fmt::format("{}[{}]", place.name(key), index)};
}

Result<Decision> decision_of(const Place& place, std::string_view key, std::string_view error_key) {
  const std::string_view name = TRY(text_of(place, key));
  const auto* found = std::ranges::find(kActions, name, &ActionName::name);
  if (found == kActions.end()) return place.wrong(key, fmt::format("unknown action '{}'", name));
  const auto error = TRY(number_of(place, error_key, kMostErrno));
  if (found->action != Action::Errno && error)
    return place.wrong(error_key, "only SCMP_ACT_ERRNO returns an error");
  if (found->action != Action::Errno) return Decision{found->action};
  return Decision{Action::Errno, static_cast<std::uint16_t>(error.value_or(EPERM))};
}

Result<Condition> condition_of(const Place& place) {
  constexpr std::array<std::string_view, 4> kKeys{"index", "value", "valueTwo", "op"};
  TRY_STATUS(know_keys(place, kKeys));
  const std::string_view op = TRY(text_of(place, "op"));
  const auto* found = std::ranges::find(kCompares, op, &CompareName::name);
  if (found == kCompares.end())
    return place.wrong("op", fmt::format("unknown comparison '{}'", op));
  const auto index = TRY(number_of(place, "index", kArguments - 1));
  if (!index) return place.wrong("index", "missing");
  const auto value = TRY(number_of(place, "value", UINT64_MAX));
  if (!value) return place.wrong("value", "missing");
  const std::uint64_t two = TRY(number_of(place, "valueTwo", UINT64_MAX)).value_or(0);
  if (two != 0 && found->compare != Compare::MaskedEqual)
    return place.wrong("valueTwo", "only SCMP_CMP_MASKED_EQ has a second value");
  if ((two & ~*value) != 0 && found->compare == Compare::MaskedEqual)
    return place.wrong("valueTwo", "has bits outside the mask, so it can never match");
  return Condition{static_cast<unsigned>(*index), found->compare, *value, two};
}

Status read_conditions(const Place& place, Rule& rule) {
  const auto list = TRY(list_of(place, "args"));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Place at = TRY(object_at(place, "args", list[i], i));
    const Condition condition = TRY(condition_of(at));
    if (std::ranges::find(rule.conditions, condition.index, &Condition::index) !=
        rule.conditions.end())
      return at.wrong("index", "a second condition on the same argument; write a rule of its own");
    rule.conditions.push_back(condition);
  }
  return {};
}

Result<Rule> rule_of(const Place& place) {
  constexpr std::array<std::string_view, 5> kKeys{"names", "action", "errnoRet", "args", "comment"};
  TRY_STATUS(know_keys(place, kKeys));
  Rule rule;
  rule.decision = TRY(decision_of(place, "action", "errnoRet"));
  const auto names = TRY(list_of(place, "names"));
  for (const json::value& name : names) {
    const json::string* text = name.if_string();
    if (text == nullptr) return place.wrong("names", "must be strings");
    rule.names.emplace_back(view(*text));
  }
  if (rule.names.empty()) return place.wrong("names", "names no system call");
  TRY_STATUS(read_conditions(place, rule));
  return rule;
}

// x86-64 alone is ever compiled in. Naming the other ABIs of the machine is no error, but they stay
// closed.
Status check_architectures(const Place& place) {
  const auto list = TRY(list_of(place, "architectures"));
  bool ours = list.empty();
  for (const json::value& element : list) {
    const json::string* text = element.if_string();
    if (text == nullptr || !view(*text).starts_with("SCMP_ARCH_"))
      return place.wrong("architectures", "must be names such as SCMP_ARCH_X86_64");
    ours = ours || view(*text) == "SCMP_ARCH_X86_64";
  }
  if (!ours) return place.wrong("architectures", "SCMP_ARCH_X86_64 is not among them");
  return {};
}

Result<json::value> parse_json(std::string_view text) {
  json::stream_parser parser;
  json::error_code error;
  const std::size_t used = parser.write_some(text.data(), text.size(), error);
  if (!error) parser.finish(error);
  if (!error && used == text.size()) return parser.release();
  const auto line = 1 + std::ranges::count(text.substr(0, used), '\n');
  const std::string why = error ? error.message() : "something follows the value";
  return invalid(fmt::format("line {}: not JSON: {}", line, why));
}

}  // namespace

Result<Rules> parse_rules(std::string_view text) {
  constexpr std::array<std::string_view, 5> kKeys{"defaultAction", "defaultErrnoRet",
                                                  "architectures", "syscalls", "comment"};
  const json::value value = TRY(parse_json(text));
  if (!value.is_object()) return invalid("not a JSON object");
  const Place top{value.get_object(), ""};
  TRY_STATUS(know_keys(top, kKeys));
  TRY_STATUS(check_architectures(top));
  Rules rules;
  rules.otherwise = TRY(decision_of(top, "defaultAction", "defaultErrnoRet"));
  const auto list = TRY(list_of(top, "syscalls"));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Place at = TRY(object_at(top, "syscalls", list[i], i));
    rules.rules.push_back(TRY(rule_of(at)));
  }
  return rules;
}

}  // namespace assay::sandbox::warden
