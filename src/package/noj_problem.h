// A problem of Normal-OJ: a directory with meta.json, testcase/TTCC.in and TTCC.out, and the files
// that meta.json calls assets.
#pragma once

#include <string>

#include "base/result.h"
#include "judge/language_set.h"
#include "judge/problem.h"
#include "package/assets.h"
#include "package/noj_meta.h"

namespace assay::package {

inline constexpr const char* kNojDescription = "meta.json";
inline constexpr const char* kNojPolicy = "noj";

// All files are opened now, with the caller's rights. Every complaint begins with the file's name.
Result<judge::Problem> load_noj_problem(const judge::ProblemFiles& files,
                                        const judge::LanguageSet& languages);

// The same from a description that was read already and files from wherever they are.
Result<judge::Problem> noj_problem(const NojMeta& meta, const judge::ProblemFiles& directory,
                                   const AssetSource& assets, const judge::LanguageSet& languages);

}  // namespace assay::package
