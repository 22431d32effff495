#include "verdict/policy_toml.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "sandbox/toml.h"
#include "sandbox/toml_shape.h"
#include "verdict/policy_fields.h"
#include "verdict/policy_words.h"

namespace assay::verdict {
namespace {

std::unexpected<Error> wrong(const toml::source_region& where, const std::string& what) {
  return invalid("line " + std::to_string(where.begin.line) + ", column " +
                 std::to_string(where.begin.column) + ": " + what);
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

Status read(const toml::node& node, std::string& out) {
  const auto* text = node.as_string();
  if (text == nullptr) return wrong(node.source(), "expected a string");
  if (text->get().empty()) return wrong(node.source(), "expected a string that is not empty");
  out = text->get();
  return {};
}

Status read(const toml::node& node, bool& out) {
  const auto* value = node.as_boolean();
  if (value == nullptr) return wrong(node.source(), "expected true or false");
  out = value->get();
  return {};
}

Status read(const toml::node& node, double& out) {
  const auto value = node.value<double>();  // an integer will do
  if (!node.is_number() || !value || !(*value > 0) || *value > 1e6)
    return wrong(node.source(), "expected a number above 0");
  out = *value;
  return {};
}

template <typename Count>
  requires std::is_integral_v<Count>
Status read(const toml::node& node, Count& out) {
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() < 0 || value->get() > std::numeric_limits<int>::max())
    return wrong(node.source(), "expected a whole number of 0 or more");
  out = static_cast<Count>(value->get());
  return {};
}

// Quantities are strings with a unit, as on the command line: "300ms", "64MiB".
template <typename Quantity>
Status read_quantity(const toml::node& node, Quantity& out,
                     Result<Quantity> (*parse)(std::string_view)) {
  std::string text;
  TRY_STATUS(read(node, text));
  const auto value = parse(text);
  if (!value) return wrong(node.source(), value.error().context);
  out = *value;
  return {};
}

Status read(const toml::node& node, Nanoseconds& out) {
  return read_quantity(node, out, parse_duration);
}

Status read(const toml::node& node, Bytes& out) {
  return read_quantity(node, out, parse_bytes);
}

Status read(const toml::node& node, Verdict& out) {
  std::string text;
  TRY_STATUS(read(node, text));
  const auto verdict = verdict_named(text);
  if (!verdict) return wrong(node.source(), "there is no verdict " + quoted(text));
  out = *verdict;
  return {};
}

template <typename Value>
  requires std::is_enum_v<Value>
Status read(const toml::node& node, Value& out) {
  std::string text;
  TRY_STATUS(read(node, text));
  std::string known;
  for (const auto& [word, value] : kWords<Value>) {
    if (word == text) {
      out = value;
      return {};
    }
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return wrong(node.source(), quoted(text) + " is none of: " + known);
}

template <typename T>
Status read(const toml::node& node, std::optional<T>& out);
template <typename T>
Status read(const toml::node& node, std::vector<T>& out);
Status read(const toml::node& node, std::map<std::string, Nanoseconds>& out);
Status read(const toml::node& node, Labels& out);

template <typename Section>
  requires std::is_class_v<Section>
Status read(const toml::node& node, Section& out);

template <typename Section>
Status read_field(const toml::key& name, const toml::node& value, Section& out) {
  std::string known;
  std::optional<Status> done;
  const auto offer = [&](const auto& field) {
    if (field.name == name.str()) done = read(value, out.*field.member);
    known += (known.empty() ? "" : ", ") + std::string(field.name);
  };
  std::apply([&](const auto&... field) { (offer(field), ...); }, kFields<Section>);
  if (done) return *std::move(done);
  return wrong(name.source(), "unknown key " + quoted(name.str()) + "; known here: " + known);
}

template <typename Section>
  requires std::is_class_v<Section>
Status read(const toml::node& node, Section& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return wrong(node.source(), "expected a table");
  for (const auto& [name, value] : *table)
    TRY_STATUS(read_field(name, value, out));
  return {};
}

template <typename T>
Status read(const toml::node& node, std::optional<T>& out) {
  return read(node, out.emplace());
}

template <typename T>
Status read(const toml::node& node, std::vector<T>& out) {
  const auto* list = node.as_array();
  if (list == nullptr) return wrong(node.source(), "expected a list");
  out.clear();
  for (const auto& element : *list) {
    TRY_STATUS(read(element, out.emplace_back()));
    if (std::ranges::count(out, out.back()) > 1)
      return wrong(element.source(), "is in the list twice");
  }
  return {};
}

Status read(const toml::node& node, std::map<std::string, Nanoseconds>& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return wrong(node.source(), "expected a table");
  for (const auto& [name, value] : *table)
    TRY_STATUS(read(value, out[std::string(name.str())]));
  return {};
}

Status read(const toml::node& node, Labels& out) {
  const auto* table = node.as_table();
  if (table == nullptr) return wrong(node.source(), "expected a table");
  for (const auto& [name, value] : *table) {
    const auto verdict = verdict_named(name.str());
    if (!verdict) return wrong(name.source(), "there is no verdict " + quoted(name.str()));
    TRY_STATUS(read(value, out.at(index_of(*verdict))));
  }
  return {};
}

}  // namespace

Result<Policy> read_policy(std::string_view toml_text) {
  if (const auto trouble = sandbox::trouble_with_shape(toml_text))
    return wrong({{trouble->line, trouble->column}, {}, {}}, trouble->why);
  const toml::parse_result file = toml::parse(toml_text);
  if (!file) return wrong(file.error().source(), std::string(file.error().description()));
  Policy policy;
  TRY_STATUS(read(static_cast<const toml::node&>(file.table()), policy));
  return policy;
}

}  // namespace assay::verdict
