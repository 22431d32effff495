// A problem from a directory, whichever format it is in.
#pragma once

#include <string>

#include "base/result.h"
#include "judge/language_set.h"
#include "judge/problem.h"

namespace assay::package {

struct Package {
  judge::Problem problem{};
  std::string policy{};  // whose verdicts its format means; empty: nobody's in particular
};

// With meta.json it is Normal-OJ's, else it must be ours (problem.toml).
Result<Package> load_package(const std::string& directory, const judge::LanguageSet& languages);

}  // namespace assay::package
