// Reads a problem from its problem.toml, whose fields are called as in the API.
// Every complaint about the file names its line and column.
#pragma once

#include <string>

#include "base/result.h"
#include "judge/language_set.h"
#include "judge/problem.h"
#include "judge/problem_files.h"

namespace assay::judge {

// All files are opened now, with the caller's rights; their contents are read when they are needed.
Result<Problem> load_problem(const ProblemFiles& files, const LanguageSet& languages);
Result<Problem> load_problem(const std::string& directory, const LanguageSet& languages);

}  // namespace assay::judge
