#include "judge/compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/content.h"
#include "judge/warmth.h"
#include "sandbox/limits.h"
#include "verdict/judge.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using sandbox::Facts;

bool was_cancelled(const Facts& facts) {
  return facts.cut_off_by == CutOff::Cancelled || facts.cut_off_by == CutOff::Terminated ||
         facts.cut_off_by == CutOff::Shutdown;
}

// Why a step did not do its work; empty when it did.
std::string complaint(const Facts& facts, const verdict::Policy& policy) {
  if (was_cancelled(facts)) return "cancelled";
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  if (facts.cut_off_by == CutOff::None && exited != nullptr && exited->code == 0) {
    if (facts.file_errors.empty()) return "";
    const sandbox::FileError& error = facts.file_errors.front();
    return fmt::format("the compiler did not make '{}': {}", error.name, error.why);
  }
  // The compiler's own processes may be the ones that met the limit: then it only says "killed".
  const bool stopped = facts.cut_off_by != CutOff::None || facts.oom_kills > 0;
  if (!stopped && exited != nullptr)
    return fmt::format("the compiler exited with {}", exited->code);
  if (facts.cut_off_by == CutOff::None && facts.oom_kills > 0)
    return "the compiler needed too much memory";
  return "the compiler was stopped: " + verdict::judge(facts, policy).reason;
}

struct StepRun {
  Facts facts{};
  std::vector<ProgramFile> outputs{};
};

class Compilation {
 public:
  Compilation(sandbox::Sandbox& engine, const CompileOrder& order, const verdict::Policy& policy,
              Cancellation& cancellation, int warm)
      : engine_(engine), order_(order), policy_(policy), cancellation_(cancellation), warm_(warm) {}

  Result<Compiled> run();
  Result<std::optional<CompileResult>> lint();
  [[nodiscard]] int log() const { return log_.get(); }  // of all steps, whole

 private:
  Result<StepRun> run_step(const Invocation& step);
  Status add(const StepRun& step);
  [[nodiscard]] Program program() const;

  sandbox::Sandbox& engine_;
  const CompileOrder& order_;
  const verdict::Policy& policy_;
  Cancellation& cancellation_;
  int warm_;
  std::vector<ProgramFile> files_{};
  CompileResult result_{};
  os::OwnedFd log_{};
};

sandbox::FileIn put_in(const ProgramFile& file) {
  return {.name = file.name, .executable = file.executable, .content = file.content};
}

Result<StepRun> Compilation::run_step(const Invocation& step) {
  StepRun run;
  sandbox::Spec spec{
      .profile = step.profile,
      .argv = step.argv,
      .environment = step.environment,
      .output = sandbox::Collect{.sink = log_.get()},
      .errors = sandbox::Same{1},
      .limits = sandbox::merge_limits(step.limits, policy_.compile),
  };
  for (const std::string& name : order_.directories)
    spec.directories_in.push_back({.name = name});
  for (const ProgramFile& file : files_)
    spec.files_in.push_back(put_in(file));
  for (const std::string& name : step.outputs)
    run.outputs.push_back({.name = name, .executable = true});
  for (ProgramFile& output : run.outputs)
    spec.files_out.push_back({.name = output.name, .text = &output.content});
  os::OwnedFd lent;
  if (warm_ >= 0) lent = TRY(lend_warmth(*order_.language->warmth, warm_, spec));
  run.facts = TRY(cancellation_.run(engine_, spec));
  const auto* failure = std::get_if<sandbox::NotStarted>(&run.facts.end);
  if (failure != nullptr && !was_cancelled(run.facts))
    return system_error(0, fmt::format("the compiler of {} does not start: {}",
                                       order_.language->name, describe(*failure)));
  return run;
}

Status Compilation::add(const StepRun& step) {
  result_.time += step.facts.cpu_total;
  result_.memory = std::max(result_.memory, step.facts.memory_peak);
  result_.exit_code.reset();
  if (const auto* exited = std::get_if<sandbox::Exited>(&step.facts.end))
    result_.exit_code = exited->code;
  result_.error = complaint(step.facts, policy_);
  result_.ok = result_.error.empty();
  result_.log = TRY(head_and_tail(log_.get(), kLogLimit));
  return {};
}

Program Compilation::program() const {
  Program program{.language = order_.language, .sources = order_.sources};
  const std::vector<std::string> wanted = files_to_run(*order_.language, order_.sources);
  for (const ProgramFile& file : files_)
    if (std::ranges::find(wanted, file.name) != wanted.end()) program.files.push_back(file);
  return program;
}

Result<Compiled> Compilation::run() {
  files_ = order_.files;
  const std::vector<Invocation> steps = compile_steps(
      *order_.language, {.sources = order_.sources, .flags = order_.flags, .warm = warm_ >= 0});
  if (steps.empty()) return Compiled{.program = program()};
  log_ = TRY(nameless_file());
  for (const Invocation& step : steps) {
    StepRun done = TRY(run_step(step));
    TRY_STATUS(add(done));
    if (!result_.ok) return Compiled{.result = std::move(result_)};
    for (ProgramFile& output : done.outputs) {
      std::erase_if(files_, [&](const ProgramFile& file) { return file.name == output.name; });
      files_.push_back(std::move(output));
    }
  }
  return Compiled{.result = std::move(result_), .program = program()};
}

Result<std::optional<CompileResult>> Compilation::lint() {
  const auto step = lint_step(*order_.language, order_.sources);
  if (!step) return std::nullopt;
  files_ = order_.files;
  log_ = TRY(nameless_file());
  const StepRun done = TRY(run_step(*step));
  TRY_STATUS(add(done));
  if (!result_.ok && result_.exit_code.value_or(0) != 0)
    result_.error = "the check of the syntax found mistakes";
  return std::move(result_);
}

}  // namespace

std::vector<sandbox::FileIn> Program::files_in() const {
  std::vector<sandbox::FileIn> list;
  for (const ProgramFile& file : files)
    list.push_back(put_in(file));
  return list;
}

// Only what the kernel can run without a name.
void Program::put_into(sandbox::Spec& spec) const {
  const bool alone = files.size() == 1 && files[0].executable &&
                     spec.argv.at(0) == "./" + files[0].name &&
                     files[0].content.starts_with(
                         "\x7f"
                         "ELF");
  if (alone && language->from_memory)
    spec.program = files[0].content;
  else
    spec.files_in = files_in();
}

Result<CompileOrder> compile_order(const LanguageSet& languages, const Submission& submission,
                                   std::span<const std::string> granted) {
  CompileOrder order{.language = TRY(languages.find(submission.language))};
  if (submission.sources.empty()) return invalid("there is no source");
  std::vector<SourceText> texts;
  for (const SourceFile& source : submission.sources)
    texts.push_back({source.name, source.content});
  order.sources = TRY(name_sources(*order.language, texts));
  order.flags = TRY(filter_flags(order.language->flags, submission.extra_flags, granted));
  for (std::size_t i = 0; i < texts.size(); ++i)
    order.files.push_back({.name = order.sources.names[i],
                           .content = submission.sources[i].content,
                           .executable = submission.sources[i].executable});
  for (const Companion& file : order.language->files)
    if (std::ranges::find(order.files, file.name, &ProgramFile::name) == order.files.end())
      order.files.push_back({.name = file.name, .content = file.content});
  return order;
}

Result<Compiled> compile(sandbox::Sandbox& engine, const CompileOrder& order,
                         const verdict::Policy& policy, Cancellation& cancellation, int warm) {
  if (warm >= 0 && order.language->warmth) {
    Compilation quick(engine, order, policy, cancellation, warm);
    Compiled compiled = TRY(quick.run());
    if (!TRY(tells_of_warmth(*order.language->warmth, quick.log()))) return compiled;
  }
  return Compilation(engine, order, policy, cancellation, -1).run();
}

Result<std::optional<CompileResult>> lint(sandbox::Sandbox& engine, const CompileOrder& order,
                                          const verdict::Policy& policy,
                                          Cancellation& cancellation) {
  return Compilation(engine, order, policy, cancellation, -1).lint();
}

}  // namespace assay::judge
