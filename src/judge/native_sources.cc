#include "judge/native_sources.h"

#include <fmt/format.h>

#include "judge/language_sources.h"

namespace assay::judge {
namespace {

constexpr Bytes kLargestSource = 4_MiB;

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// As it is said, else by the first file whose ending says it.
Result<const Language*> language_of(const WrittenChecker& written, const LanguageSet& languages) {
  if (!written.language.empty()) {
    const auto named = languages.find(written.language);
    if (!named) return sandbox::wrong(written.position, describe(named.error()));
    return *named;
  }
  for (const std::string& source : written.sources)
    if (const Language* language = languages.for_file(source)) return language;
  return sandbox::wrong(written.position, fmt::format("which language is '{}'? Say 'language'",
                                                      written.sources.front()));
}

}  // namespace

Result<std::vector<SourceFile>> load_files(const ProblemFiles& directory,
                                           const std::vector<std::string>& paths) {
  std::vector<SourceFile> files;
  for (const std::string& path : paths)
    files.push_back({last_part(path), TRY(directory.text(path, kLargestSource))});
  return files;
}

Result<std::vector<SourceFile>> headers_beside(const ProblemFiles& directory,
                                               const std::string& source,
                                               const Language& language) {
  std::vector<std::string> paths;
  const std::string folder = source.substr(0, source.size() - last_part(source).size());
  for (const std::string& ending : language.headers)
    for (std::string& path : TRY(directory.matching(folder + "*." + ending)))
      // A directory or a broken link that is called so is nobody's header.
      if (path != source && check_source_name(last_part(path)) && directory.file(path))
        paths.push_back(std::move(path));
  return load_files(directory, paths);
}

Result<CheckerProgram> load_program(const ProblemFiles& directory, const WrittenChecker& written,
                                    const LanguageSet& languages) {
  const auto protocol = protocol_named(written.protocol.empty() ? "testlib" : written.protocol);
  if (!protocol)
    return sandbox::wrong(written.position,
                          fmt::format("there is no protocol '{}'", written.protocol));
  auto files = load_files(directory, written.sources);
  if (!files) return sandbox::wrong(written.position, describe(files.error()));
  const Language* language = TRY(language_of(written, languages));
  if (written.is_alone) {
    auto headers = headers_beside(directory, written.sources.front(), *language);
    if (!headers) return sandbox::wrong(written.position, describe(headers.error()));
    std::ranges::move(*headers, std::back_inserter(*files));
  }
  return CheckerProgram{.source = {.language = language->id, .sources = *std::move(files)},
                        .protocol = *protocol,
                        .arguments = written.arguments,
                        .limits = written.limits};
}

}  // namespace assay::judge
