#include "package/load.h"

#include "judge/native_problem.h"
#include "package/noj_problem.h"

namespace assay::package {

Result<Package> load_package(const std::string& directory, const judge::LanguageSet& languages) {
  const judge::ProblemDirectory files = TRY(judge::ProblemDirectory::open(directory));
  if (!files.file("problem.toml")) {
    if (files.file(kNojDescription))
      return Package{TRY(load_noj_problem(directory, languages)), kNojPolicy};
    return invalid("'" + directory + "' has neither a problem.toml nor a meta.json");
  }
  return Package{.problem = TRY(judge::load_problem(directory, languages))};
}

}  // namespace assay::package
