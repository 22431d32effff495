// The sources of a problem's programs, from among its files. For native_problem.cc, and for whoever
// has one program of an author without a problem.
#pragma once

#include <string>
#include <vector>

#include "judge/language_set.h"
#include "judge/native_fields.h"
#include "judge/problem_files.h"

namespace assay::judge {

// By the last parts of their paths.
Result<std::vector<SourceFile>> load_files(const ProblemFiles& directory,
                                           const std::vector<std::string>& paths);

// What a source may include from its own folder, such as testlib.h: all files there that are
// headers by their endings.
Result<std::vector<SourceFile>> headers_beside(const ProblemFiles& directory,
                                               const std::string& source, const Language& language);

Result<CheckerProgram> load_program(const ProblemFiles& directory, const WrittenChecker& written,
                                    const LanguageSet& languages);

}  // namespace assay::judge
