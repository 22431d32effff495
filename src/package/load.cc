#include "package/load.h"

#include "judge/native_files.h"
#include "judge/native_problem.h"
#include "package/noj_problem.h"

namespace assay::package {

Result<judge::Problem> load_package(const judge::ProblemFiles& files,
                                    const judge::LanguageSet& languages) {
  if (files.file("problem.toml")) return judge::load_problem(files, languages);
  if (files.file(kNojDescription)) return load_noj_problem(files, languages);
  return invalid(files.whole() + " has neither a problem.toml nor a meta.json");
}

Result<judge::Problem> load_package(const std::string& directory,
                                    const judge::LanguageSet& languages) {
  return load_package(TRY(judge::ProblemDirectory::open(directory)), languages);
}

}  // namespace assay::package
