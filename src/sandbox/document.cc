#include "sandbox/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/path.h"
#include "sandbox/toml.h"
#include "sandbox/toml_shape.h"

namespace assay::sandbox {
namespace {

using File = std::shared_ptr<const std::string>;

Position position_of(const toml::source_region& source, const File& file) {
  return {file, source.begin.line, source.begin.column};
}

Node node_of(const toml::node& from, const File& file);

Node::Table table_of(const toml::table& from, const File& file) {
  Node::Table table;
  for (const auto& [key, value] : from)
    table.push_back(
        {std::string(key.str()), position_of(key.source(), file), node_of(value, file)});
  return table;
}

Node::List list_of(const toml::array& from, const File& file) {
  Node::List list;
  for (const toml::node& element : from)
    list.push_back(node_of(element, file));
  return list;
}

Node node_of(const toml::node& from, const File& file) {
  Node node{.position = position_of(from.source(), file), .value = {}};
  if (const auto* text = from.as_string()) node.value = text->get();
  if (const auto* number = from.as_integer()) node.value = number->get();
  if (const auto* number = from.as_floating_point()) node.value = number->get();
  if (const auto* flag = from.as_boolean()) node.value = flag->get();
  if (const auto* array = from.as_array()) node.value = list_of(*array, file);
  if (const auto* table = from.as_table()) node.value = table_of(*table, file);
  return node;
}

template <typename T, typename Parse>
Status read_quantity(const Node& node, T& into, Parse parse) {
  std::string text;
  TRY_STATUS(read(node, text));
  const auto quantity = parse(text);
  if (!quantity) return wrong(node.position, quantity.error().context);
  if (*quantity == T{}) return wrong(node.position, "must be more than 0");
  into = *quantity;
  return {};
}

}  // namespace

Result<Node> parse_document(std::string file, std::string_view text) {
  const auto name = std::make_shared<const std::string>(std::move(file));
  if (const auto trouble = trouble_with_shape(text))
    return wrong({name, trouble->line, trouble->column}, trouble->why);
  const toml::parse_result result = toml::parse(text, std::string_view(*name));
  if (!result)
    return wrong(position_of(result.error().source(), name), result.error().description());
  return node_of(result.table(), name);
}

std::unexpected<Error> wrong(const Position& position, std::string_view why) {
  return invalid(fmt::format("{}:{}:{}: {}", *position.file, position.line, position.column, why));
}

Status read(const Node& node, std::string& into) {
  const auto* text = std::get_if<std::string>(&node.value);
  if (text == nullptr) return wrong(node.position, "must be a string");
  if (text->find('\0') != std::string::npos) return wrong(node.position, "must not contain NUL");
  into = *text;
  return {};
}

Status read_path(const Node& node, std::string& into) {
  TRY_STATUS(read(node, into));
  if (into != "/" && is_plain_path(into)) return {};
  return wrong(node.position,
               fmt::format("'{}' must be an absolute path without '.', '..' or '//'", into));
}

Status read_paths(const Node& node, std::vector<std::string>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of paths");
  for (const Node& element : *list)
    TRY_STATUS(read_path(element, into.emplace_back()));
  return {};
}

Status read(const Node& node, bool& into) {
  const auto* flag = std::get_if<bool>(&node.value);
  if (flag == nullptr) return wrong(node.position, "must be true or false");
  into = *flag;
  return {};
}

Status read(const Node& node, std::uint64_t& into) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  if (number == nullptr || *number < 1)
    return wrong(node.position, "must be a whole number of 1 or more");
  into = static_cast<std::uint64_t>(*number);
  return {};
}

Status read(const Node& node, Bytes& into) {
  return read_quantity(node, into, parse_bytes);
}

Status read(const Node& node, Nanoseconds& into) {
  return read_quantity(node, into, parse_duration);
}

Result<std::size_t> read_word(const Node& node, const std::vector<std::string_view>& words) {
  std::string text;
  TRY_STATUS(read(node, text));
  const auto found = std::ranges::find(words, text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  return wrong(node.position, fmt::format("'{}' is none of {}", text, fmt::join(words, ", ")));
}

}  // namespace assay::sandbox
