// What `assay judge` and `assay interact` have in common: a submission is judged in boxes, with
// everything read as the caller before.
#pragma once

#include <functional>

#include "app/cli/commands.h"
#include "judge/judge_result.h"
#include "judge/language_set.h"
#include "package/load.h"

namespace assay::cli {

struct JudgeJob {
  std::function<Result<judge::Problem>(const judge::LanguageSet&)> problem{};  // as the caller
  // Without privilege.
  std::function<Status(const judge::Problem&, const judge::JudgeResult&)> report{};
  Bytes dialogue{};  // so much of what was said is in the result
};

int judge_job(const JudgeCommand& command, const JudgeJob& job);

// As JSON or as a table, on stdout.
Status print_result(const JudgeCommand& command, const judge::Problem& problem,
                    const judge::JudgeResult& result);

}  // namespace assay::cli
