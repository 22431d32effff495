#include "judge/language_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "judge/language_file.h"
#include "os/file.h"

namespace assay::judge {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

using Claims = std::map<std::string, std::string>;  // what is claimed → by whom

Status claim(Claims& claims, const char* what, std::string_view name, const std::string& by) {
  const auto [at, is_new] = claims.try_emplace(lower(name), by);
  if (is_new) return {};
  return invalid(
      fmt::format("languages '{}' and '{}' both have the {} '{}'", at->second, by, what, name));
}

Result<std::vector<std::string>> files_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> ids;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".toml" && is_language_id(entry->path().stem().native()))
      ids.push_back(entry->path().stem());
  if (error) return system_error(error.value(), fmt::format("list languages in '{}'", directory));
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

Result<LanguageSet> LanguageSet::of(std::vector<Language> languages) {
  Claims names;
  Claims extensions;
  for (const Language& language : languages) {
    TRY_STATUS(claim(names, "name", language.id, language.id));
    for (const std::string& alias : language.aliases)
      TRY_STATUS(claim(names, "name", alias, language.id));
    if (language.id != language.family) continue;
    for (const std::string& extension : language.extensions)
      TRY_STATUS(claim(extensions, "extension", extension, language.id));
  }
  LanguageSet set;
  set.languages_ = std::move(languages);
  return set;
}

Result<const Language*> LanguageSet::find(std::string_view name) const {
  const std::string wanted = lower(name);
  std::string known;
  for (const Language& language : languages_) {
    if (lower(language.id) == wanted) return &language;
    for (const std::string& alias : language.aliases)
      if (lower(alias) == wanted) return &language;
    known += (known.empty() ? "; there are " : ", ") + language.id;
  }
  std::string shown(name.substr(0, 64));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return std::unexpected(
      Error{Fault::NotFound, 0, fmt::format("no language '{}'{}", shown, known)});
}

const Language* LanguageSet::for_file(std::string_view file_name) const {
  const std::string_view last = file_name.substr(file_name.rfind('/') + 1);
  const std::size_t dot = last.rfind('.');
  if (dot == std::string_view::npos) return nullptr;
  // ".C" is C++ to compilers, but people mean C.
  const std::string extension = lower(last.substr(dot + 1));
  for (const Language& language : languages_)
    if (language.id == language.family &&
        std::ranges::find(language.extensions, extension) != language.extensions.end())
      return &language;
  return nullptr;
}

Result<LanguageSet> load_languages(const std::string& directory) {
  std::vector<Language> all;
  for (const std::string& id : TRY(files_in(directory))) {
    const std::string path = fmt::format("{}/{}.toml", directory, id);
    const std::string text = TRY(os::read_whole(path));
    for (Language& language : TRY(parse_language(id, path, text)))
      all.push_back(std::move(language));
  }
  return LanguageSet::of(std::move(all));
}

}  // namespace assay::judge
