// What the templates of a language file may name, and where.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "judge/language_fields.h"
#include "judge/language_template.h"

namespace assay::judge {
namespace {

using sandbox::Entry;
using sandbox::Node;
using sandbox::wrong;
using Names = std::vector<std::string>;

struct Known {
  Names texts{};
  Names lists{};
};

Names texts_everywhere() {
  return {"source",   "src",     "output", "bin", "entry", "memory_mb", "initial_memory_mb",
          "stack_mb", "stack_kb"};
}

struct Section {
  const char* key;
  Names lists;
};

std::array<Section, 5> sections() {
  return {Section{"compile", {"sources", "flags", "extraFlags", "warm"}},
          Section{"lint", {"sources"}}, Section{"run", {"sources"}}, Section{"detection", {}},
          Section{"warmth", {"flags", "extraFlags"}}};
}

enum class Kind { Text, Line, Word };  // only lines and their words have lists in them

Status check_text(const Node& node, const std::string& text, const Known& known, Kind kind) {
  const Names words = kind == Kind::Line ? TRY(split_words(text)) : Names{text};
  const Names lists = kind == Kind::Text ? Names{} : known.lists;
  for (const std::string& word : words)
    if (const Status checked = check_template(word, known.texts, lists); !checked)
      return wrong(node.position, checked.error().context);
  return {};
}

// Every string below a section is a template, but for patterns and the content of files.
Status check_all(const Node& node, const Known& known, Kind kind) {
  if (const auto* text = std::get_if<std::string>(&node.value))
    return check_text(node, *text, known, kind);
  if (const auto* list = std::get_if<Node::List>(&node.value))
    for (const Node& element : *list)
      TRY_STATUS(check_all(element, known, kind == Kind::Line ? Kind::Word : Kind::Text));
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return {};
  for (const Entry& entry : *table) {
    if (entry.key == "version" || entry.key == "when" || entry.key == "content") continue;
    const bool is_line = entry.key == "argv" || entry.key == "use";
    TRY_STATUS(check_all(entry.value, known, is_line ? Kind::Line : Kind::Text));
  }
  return {};
}

}  // namespace

Status check_names(const Node& document, const Language& language) {
  Known known{.texts = texts_everywhere()};
  for (const auto& [name, value] : language.variables) {
    if (std::ranges::find(known.texts, name) != known.texts.end())
      return wrong(find_key(document, "variables")->position,
                   fmt::format("'{}' has a meaning of its own", name));
    known.texts.push_back(name);
  }
  for (const Section& section : sections()) {
    known.lists = section.lists;
    if (const Node* node = find_key(document, section.key))
      TRY_STATUS(check_all(*node, known, Kind::Text));
  }
  return {};
}

}  // namespace assay::judge
