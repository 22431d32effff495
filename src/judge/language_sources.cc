#include "judge/language_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace assay::judge {
namespace {

constexpr std::size_t kMostName = 200;

std::string shown(std::string_view name) {
  std::string text(name.substr(0, kMostName));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

bool is_plain_part(std::string_view part) {
  if (part.empty() || part == "." || part == ".." || part[0] == '-' || part[0] == '@') return false;
  return std::ranges::none_of(
      part, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\'; });
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view extension_of(std::string_view name) {
  const std::string_view last = last_part(name);
  const std::size_t dot = last.rfind('.');
  // ".java" is a hidden file without an ending: nothing would be left to run it by.
  return dot == std::string_view::npos || dot == 0 ? std::string_view{} : last.substr(dot + 1);
}

std::string stem_of(std::string_view name) {
  const std::string_view last = last_part(name);
  return std::string(last.substr(0, last.rfind('.')));
}

bool is_in(const Language& language, std::string_view name) {
  return std::ranges::find(language.extensions, extension_of(name)) != language.extensions.end();
}

std::string entry_of_java(const JavaFile& file, const std::string& fallback) {
  const std::string& type = file.main_type.empty() ? file.public_type : file.main_type;
  if (type.empty()) return fallback;
  return file.package.empty() ? type : file.package + "." + type;
}

// javac wants a public class in a file of its name.
NamedSources name_java(const Language& language, const SourceText& text) {
  const JavaFile file = read_java(text.content);
  const std::string& type = !file.public_type.empty() ? file.public_type : file.main_type;
  const std::string name = type.empty() ? language.source : type + ".java";
  return {.names = {name},
          .compiled = {name},
          .main = name,
          .entry = entry_of_java(file, stem_of(name))};
}

NamedSources name_one(const Language& language, const SourceText& text) {
  if (language.name_rule == NameRule::Java) return name_java(language, text);
  return {.names = {language.source},
          .compiled = {language.source},
          .main = language.source,
          .entry = stem_of(language.source)};
}

// The one named as the language's source, else (Java) one with a main, else the first in the
// language.
std::size_t main_of(const Language& language, std::span<const SourceText> texts) {
  std::size_t found = texts.size();
  bool has_main = language.name_rule != NameRule::Java;  // then the first will do
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].name == language.source) return i;
    if (!is_in(language, texts[i].name) || (has_main && found != texts.size())) continue;
    // Each is read once, however many there are: the texts are a stranger's.
    const bool is_main = has_main || !read_java(texts[i].content).main_type.empty();
    if (found == texts.size() || is_main) found = i;
    has_main = has_main || is_main;
  }
  return found;
}

Result<NamedSources> name_several(const Language& language, std::span<const SourceText> texts) {
  NamedSources named;
  std::set<std::string_view> seen;
  for (const SourceText& text : texts) {
    TRY_STATUS(check_source_name(text.name));
    if (!seen.insert(text.name).second)
      return invalid(fmt::format("there are two source files '{}'", text.name));
    named.names.emplace_back(text.name);
  }
  const std::size_t main = main_of(language, texts);
  if (main == texts.size())
    return invalid(fmt::format("no source file is called '{}' or is {} by its ending",
                               language.source, language.name));
  named.main = texts[main].name;
  named.entry = stem_of(named.main);
  if (language.name_rule == NameRule::Java)
    named.entry = entry_of_java(read_java(texts[main].content), named.entry);
  named.compiled.push_back(named.main);
  for (const std::string& name : named.names)
    if (name != named.main && is_in(language, name)) named.compiled.push_back(name);
  return named;
}

}  // namespace

Status check_source_name(std::string_view name) {
  bool good = !name.empty() && name.size() <= kMostName;
  for (std::size_t at = 0; good && at <= name.size();) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    good = is_plain_part(name.substr(at, slash - at));
    at = slash + 1;
  }
  if (good) return {};
  return invalid(fmt::format("source file name '{}' is not a plain relative path", shown(name)));
}

Result<NamedSources> name_sources(const Language& language, std::span<const SourceText> texts) {
  if (texts.empty()) return invalid("there is no source file");
  if (texts.size() > 1) return name_several(language, texts);
  NamedSources named = name_one(language, texts[0]);
  TRY_STATUS(check_source_name(named.main));
  return named;
}

}  // namespace assay::judge
