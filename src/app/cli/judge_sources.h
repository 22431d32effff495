// What somebody hands in on the command line, read as the caller.
#pragma once

#include "app/cli/commands.h"
#include "judge/language_set.h"
#include "judge/problem.h"

namespace assay::cli {

// Files; an archive, which is not looked into here; or a directory, which stands for its files.
Result<judge::Submission> read_submission(const JudgeCommand& command,
                                          const judge::LanguageSet& languages,
                                          const judge::Problem& problem);

}  // namespace assay::cli
