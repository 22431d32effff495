// A TOML file as plain values that know where they stand, so that every complaint names file, line
// and column. Readers check one value each; tables are read by a list of fields, and a key that is
// not listed is an error.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.h"

namespace assay::sandbox {

struct Position {
  std::shared_ptr<const std::string> file{};
  unsigned line = 0;
  unsigned column = 0;
};

struct Entry;
struct Node {
  using Table = std::vector<Entry>;
  using List = std::vector<Node>;
  struct Other {};  // a date: nobody wants one
  Position position{};
  // No initializer: it would need Entry whole, which clang then asks for here.
  std::variant<Other, std::string, std::int64_t, double, bool, List, Table> value;
};
struct Entry {
  std::string key{};
  Position position{};
  Node value{};
};

Result<Node> parse_document(std::string file, std::string_view text);

// "default.toml:3:14: why"
std::unexpected<Error> wrong(const Position& position, std::string_view why);

Status read(const Node& node, std::string& into);  // without NUL
Status read(const Node& node, bool& into);
Status read(const Node& node, std::uint64_t& into);     // 1 or more
Status read(const Node& node, Bytes& into);             // "64MiB": more than 0, as are durations
Status read(const Node& node, Nanoseconds& into);       // "1.5s"
Status read_path(const Node& node, std::string& into);  // absolute and plain, not "/"
Status read_paths(const Node& node, std::vector<std::string>& into);

// One of some words, by its place among them.
Result<std::size_t> read_word(const Node& node, const std::vector<std::string_view>& words);

template <typename T>
Status read(const Node& node, std::optional<T>& into) {
  return read(node, into.emplace());
}

// A key of a table and what reads its value into the owner's member.
template <typename Owner>
struct Field {
  std::string_view key;
  Status (*read)(const Node&, Owner&);
};

template <typename Owner, typename T>
Owner owner_of(T Owner::*);

template <auto Member, typename Owner = decltype(owner_of(Member))>
constexpr Field<Owner> field(std::string_view key) {
  return {key, [](const Node& node, Owner& owner) {
            return read(node, owner.*Member);
          }};
}
template <auto Member, auto Reader, typename Owner = decltype(owner_of(Member))>
constexpr Field<Owner> field(std::string_view key) {
  return {key, [](const Node& node, Owner& owner) {
            return Reader(node, owner.*Member);
          }};
}

template <typename Owner, std::size_t N>
Status read_table(const Node& node, Owner& owner, const std::array<Field<Owner>, N>& fields) {
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return wrong(node.position, "must be a table");
  for (const Entry& entry : *table) {
    const Field<Owner>* found = nullptr;
    for (const Field<Owner>& field : fields)
      if (field.key == entry.key) found = &field;
    if (found == nullptr) return wrong(entry.position, "unknown key '" + entry.key + "'");
    TRY_STATUS(found->read(entry.value, owner));
  }
  return {};
}

}  // namespace assay::sandbox
