#include "judge/building.h"

namespace assay::judge {
namespace {

Result<Unpacked> unpack(const BuildTools& tools, const Content& archive,
                        const ArchiveLimits& limits, Cancellation& cancellation) {
  if (tools.unpacker == nullptr) return system_error(0, "there is no unpacker for archives");
  return tools.unpacker->unpack(tools.engine, archive, limits, cancellation);
}

// What the problem's author packed is the author's to mend.
Result<Project> project_of(const BuildTools& tools, const Problem& problem,
                           Cancellation& cancellation) {
  if (!problem.build_archive) return Project{.files = problem.build_files};
  Unpacked unpacked = TRY(unpack(tools, *problem.build_archive, {}, cancellation));
  if (!unpacked.refusal.empty()) return invalid("the problem's project: " + unpacked.refusal);
  return Project{std::move(unpacked.files), std::move(unpacked.directories)};
}

// A single file may have had no name, or another one than it was compiled under.
std::vector<SourceFile> named_as_handed_in(std::vector<SourceFile> files, const Program& program) {
  if (files.size() == 1) files[0].name = program.sources.main;
  return files;
}

void explain(Compiled& compiled) {
  if (compiled.result && compiled.result->exit_code == kNotOneExecutable)
    compiled.result->error = "only one executable named a.out is allowed";
}

}  // namespace

Compiled not_built(std::string why) {
  return {.result = CompileResult{.ok = false, .error = std::move(why)}};
}

Result<Unpacked> files_of(const BuildTools& tools, const Submission& submission,
                          const ArchiveLimits& limits, Cancellation& cancellation) {
  if (!submission.archive) return Unpacked{.files = submission.sources};
  return unpack(tools, *submission.archive, limits, cancellation);
}

Result<Compiled> build(const BuildTools& tools, const Problem& problem,
                       const Submission& submission, Cancellation& cancellation) {
  TRY_STATUS(check_handed_in(problem, submission));
  Unpacked files = TRY(files_of(tools, submission, {}, cancellation));
  if (!files.refusal.empty()) return not_built(std::move(files.refusal));
  std::vector<SourceFile> shown;
  if (problem.interactor && problem.interactor->protocol == Protocol::Noj) shown = files.files;
  Project theirs = TRY(project_of(tools, problem, cancellation));
  const auto order =
      build_order(tools.languages, problem, submission,
                  {std::move(files.files), std::move(files.directories)}, std::move(theirs));
  if (!order && submission.archive && order.error().fault != Fault::System)
    return not_built(order.error().context);
  if (!order) return std::unexpected(order.error());
  Compiled compiled = TRY(tools.compile(*order));
  if (order->made) explain(compiled);
  if (compiled.program) {
    compiled.program->made = order->made;
    compiled.program->handed_in = named_as_handed_in(std::move(shown), *compiled.program);
  }
  return compiled;
}

}  // namespace assay::judge
