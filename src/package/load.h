// A problem, whichever format its files are in.
#pragma once

#include <string>

#include "base/result.h"
#include "judge/language_set.h"
#include "judge/problem.h"
#include "judge/problem_files.h"

namespace assay::package {

// With meta.json it is Normal-OJ's, else it must be ours (problem.toml).
Result<judge::Problem> load_package(const judge::ProblemFiles& files,
                                    const judge::LanguageSet& languages);
Result<judge::Problem> load_package(const std::string& directory,
                                    const judge::LanguageSet& languages);

}  // namespace assay::package
