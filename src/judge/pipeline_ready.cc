// From what was handed in to what is tested.
#include "judge/building.h"
#include "judge/pipeline.h"
#include "judge/scoring.h"

namespace assay::judge {

Status Judge::can_judge(const Problem& problem, const Submission& submission) const {
  TRY_STATUS(check_problem(problem));
  TRY_STATUS(check_scores(problem, policy_));
  TRY_STATUS(check_handed_in(problem, submission));
  const bool has_language = problem.kind != ProblemKind::OutputOnly;
  if (has_language) TRY_STATUS(languages_.find(submission.language));
  if (submission.archive || problem.build_archive) return {};  // who knows what is in them
  if (has_language) {
    const auto order = build_order(languages_, problem, submission, {.files = submission.sources},
                                   {.files = problem.build_files});
    return order ? Status{} : Status(std::unexpected(order.error()));
  }
  const auto outputs = outputs_of(problem, submission.sources);
  return outputs ? Status{} : Status(std::unexpected(outputs.error()));
}

Result<Judge::Judged> Judge::make_ready(const Problem& problem, const Submission& submission,
                                        const JudgeOptions& options,
                                        Cancellation& cancellation) const {
  Judged judged;
  const auto check_and_compile = [&](const CompileOrder& order) -> Result<Compiled> {
    if (options.lint) judged.lint = TRY(lint(engine_, order, policy_, cancellation));
    if (judged.lint && !judged.lint->ok) return Compiled{};
    return compiled(order, cancellation);
  };
  const BuildTools tools{.engine = engine_,
                         .languages = languages_,
                         .unpacker = tools_.unpacker,
                         .compile = check_and_compile};
  if (problem.kind != ProblemKind::OutputOnly) {
    judged.compiled = TRY(build(tools, problem, submission, cancellation));
    return judged;
  }
  TRY_STATUS(check_handed_in(problem, submission));
  Unpacked files = TRY(files_of(tools, submission, kOutputArchive, cancellation));
  if (!files.refusal.empty()) return Judged{.compiled = not_built(std::move(files.refusal))};
  auto outputs = outputs_of(problem, std::move(files.files));
  if (!outputs && submission.archive) return Judged{.compiled = not_built(outputs.error().context)};
  if (!outputs) return std::unexpected(std::move(outputs).error());
  return Judged{.outputs = *std::move(outputs)};
}

}  // namespace assay::judge
