#include "judge/language_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/language_fields.h"
#include "sandbox/profile.h"
#include "sandbox/profile_fields.h"

namespace assay::judge {
namespace {

using sandbox::Entry;
using sandbox::field;
using sandbox::Node;
using sandbox::wrong;
using Names = std::vector<std::string>;

// A variant is the language of the file with other variables.
struct Variant {
  std::string id{};
  std::string name{};
  Names aliases{};
  std::map<std::string, std::string> variables{};
  sandbox::Position position{};
};

struct File {
  Language language{};
  std::vector<Variant> variants{};
};

Status read_id(const Node& node, std::string& into) {
  TRY_STATUS(sandbox::read(node, into));
  if (is_language_id(into)) return {};
  return wrong(node.position, fmt::format("'{}' is no id of a language", into));
}

Status read_outputs(const Node& node, Names& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of file names");
  for (const Node& element : *list)
    TRY_STATUS(read_file_name(element, into.emplace_back()));
  return {};
}

Status read_step(const Node& node, Step& into) {
  static constexpr std::array kFields{
      field<&Step::argv, read_words>("argv"),
      field<&Step::environment, sandbox::read_environment>("environment"),
      field<&Step::limits, sandbox::read_limits>("limits"),
      field<&Step::outputs, read_outputs>("outputs"),
  };
  TRY_STATUS(read_table(node, into, kFields));
  return into.argv.empty() ? wrong(node.position, "needs an 'argv'") : Status{};
}

Status read_compile(const Node& node, std::vector<Step>& into) {
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of tables: [[compile]]");
  for (const Node& element : *list)
    TRY_STATUS(read_step(element, into.emplace_back()));
  if (!into.empty() && into.back().outputs.empty())
    return wrong(list->back().position, "the last step must name its 'outputs'");
  return {};
}

Status read_lint(const Node& node, std::optional<Step>& into) {
  return read_step(node, into.emplace());
}

Status read_detection(const Node& node, Detection& into) {
  static constexpr std::array kFields{
      field<&Detection::argv, read_words>("argv"),
      field<&Detection::version, read_pattern>("version"),
  };
  TRY_STATUS(read_table(node, into, kFields));
  if (!into.argv.empty() && !into.version.empty()) return {};
  return wrong(node.position, "needs an 'argv' and a 'version'");
}

Status read_warmth(const Node& node, std::optional<Warmth>& into) {
  static constexpr std::array kFields{
      field<&Warmth::step, read_step>("step"),    field<&Warmth::file, read_file_name>("file"),
      field<&Warmth::content>("content"),         field<&Warmth::place, read_file_name>("place"),
      field<&Warmth::when, read_pattern>("when"), field<&Warmth::use, read_words>("use"),
      field<&Warmth::flags, read_list>("flags"),  field<&Warmth::never, read_list>("never"),
  };
  Warmth& warmth = into.emplace();
  TRY_STATUS(read_table(node, warmth, kFields));
  const bool whole = warmth.step.outputs.size() == 1 && !warmth.file.empty() &&
                     !warmth.place.empty() && !warmth.when.empty() && !warmth.use.empty();
  if (whole) return {};
  return wrong(node.position,
               "needs a 'step' with one output, a 'file', a 'place', a 'when' and a 'use'");
}

Status read_companions(const Node& node, std::vector<Companion>& into) {
  static constexpr std::array kFields{
      field<&Companion::name, read_file_name>("name"),
      field<&Companion::content>("content"),
  };
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of tables: [[files]]");
  for (const Node& element : *list) {
    Companion& file = into.emplace_back();
    TRY_STATUS(read_table(element, file, kFields));
    if (file.name.empty()) return wrong(element.position, "needs a 'name'");
  }
  return {};
}

Status read_profiles(const Node& node, std::array<std::string, kTasks>& into) {
  static constexpr std::array<std::string_view, kTasks> kNames{"compile", "lint", "run", "checker",
                                                               "interactor"};
  const auto* table = std::get_if<Node::Table>(&node.value);
  if (table == nullptr) return wrong(node.position, "must be a table");
  for (const Entry& entry : *table) {
    const auto* const found = std::ranges::find(kNames, entry.key);
    if (found == kNames.end())
      return wrong(entry.position, fmt::format("unknown key '{}'", entry.key));
    TRY_STATUS(read_profile_name(entry.value, into.at(std::size_t(found - kNames.begin()))));
  }
  return {};
}

Status read_variants(const Node& node, std::vector<Variant>& into) {
  static constexpr std::array kFields{
      field<&Variant::id, read_id>("id"),
      field<&Variant::name, read_text>("name"),
      field<&Variant::aliases, read_list>("aliases"),
      field<&Variant::variables, read_variables>("variables"),
  };
  const auto* list = std::get_if<Node::List>(&node.value);
  if (list == nullptr) return wrong(node.position, "must be an array of tables: [[variants]]");
  for (const Node& element : *list) {
    Variant& variant = into.emplace_back();
    TRY_STATUS(read_table(element, variant, kFields));
    variant.position = element.position;
    if (variant.id.empty() || variant.name.empty())
      return wrong(element.position, "needs an 'id' and a 'name'");
  }
  return {};
}

template <auto Member, auto Reader>
constexpr sandbox::Field<File> part(std::string_view key) {
  return {key, [](const Node& node, File& file) {
            return Reader(node, file.language.*Member);
          }};
}

Status read_file(const Node& node, File& into) {
  constexpr auto kRead = [](const Node& value, auto& member) {
    return sandbox::read(value, member);
  };
  static constexpr std::array kFields{
      part<&Language::name, read_text>("name"),
      part<&Language::aliases, read_list>("aliases"),
      part<&Language::extensions, read_list>("extensions"),
      part<&Language::headers, read_list>("headers"),
      part<&Language::packages, read_list>("packages"),
      part<&Language::source, read_file_name>("source"),
      part<&Language::name_rule, read_name_rule>("source_name"),
      part<&Language::output, read_file_name>("output"),
      part<&Language::variables, read_variables>("variables"),
      part<&Language::detection, read_detection>("detection"),
      part<&Language::compile, read_compile>("compile"),
      part<&Language::lint, read_lint>("lint"),
      part<&Language::run, read_step>("run"),
      part<&Language::from_memory, kRead>("from_memory"),
      part<&Language::keeps_sources, kRead>("keeps_sources"),
      part<&Language::profiles, read_profiles>("profiles"),
      part<&Language::memory, read_memory_rules>("memory"),
      part<&Language::time, read_time_rules>("time"),
      part<&Language::more_processes, kRead>("more_processes"),
      part<&Language::flags, read_flag_rules>("flags"),
      part<&Language::warmth, read_warmth>("warmth"),
      part<&Language::files, read_companions>("files"),
      part<&Language::crashes, read_patterns>("crashes"),
      field<&File::variants, read_variants>("variants"),
  };
  return read_table(node, into, kFields);
}

Status check_whole(const Node& document, const Language& language) {
  const std::pair<const char*, bool> needed[] = {{"name", !language.name.empty()},
                                                 {"source", !language.source.empty()},
                                                 {"packages", !language.packages.empty()},
                                                 {"detection", !language.detection.argv.empty()},
                                                 {"run", !language.run.argv.empty()}};
  for (const auto& [key, there] : needed)
    if (!there) return wrong(document.position, fmt::format("needs '{}'", key));
  return {};
}

Result<Language> variant_of(const Language& language, const Variant& variant) {
  Language other = language;
  other.id = variant.id;
  other.name = variant.name;
  other.aliases = variant.aliases;
  other.extensions = language.extensions;
  for (const auto& [name, value] : variant.variables) {
    if (!other.variables.contains(name))
      return wrong(variant.position, fmt::format("the language has no variable '{}'", name));
    other.variables[name] = value;
  }
  return other;
}

}  // namespace

bool is_language_id(std::string_view id) {
  return sandbox::is_profile_name(id);
}

Result<std::vector<Language>> parse_language(const std::string& id, std::string file,
                                             std::string_view text) {
  const Node document = TRY(sandbox::parse_document(std::move(file), text));
  File read;
  TRY_STATUS(read_file(document, read));
  TRY_STATUS(check_whole(document, read.language));
  TRY_STATUS(check_names(document, read.language));
  read.language.id = read.language.family = id;
  std::vector<Language> languages{read.language};
  for (const Variant& variant : read.variants)
    languages.push_back(TRY(variant_of(read.language, variant)));
  return languages;
}

}  // namespace assay::judge
