#include "judge/test_run.h"

#include <fmt/format.h>

#include "judge/content.h"
#include "judge/language_steps.h"
#include "sandbox/request.h"

namespace assay::judge {
namespace {

using verdict::Verdict;

constexpr Bytes kOutputWithoutLimit = 256_MiB;  // taken out of a box, where nobody says how much

TestLimits limits_of(const TestOrder& order) {
  const Language& language = *order.program.language;
  const auto profile = order.profiles.find(run_profile(order.problem, language.profile(Task::Run)));
  return limits_of_test(
      language, order.policy,
      {.request = order.request,
       .problem = sandbox::merge_limits(order.test.limits, order.problem.limits),
       .profile = profile == order.profiles.end() ? sandbox::Limits{} : profile->second},
      order.allowance);
}

void call(verdict::Judgement& judgement, Verdict verdict, const verdict::Policy& policy,
          std::string reason) {
  const verdict::Label& label = policy.verdicts.at(index_of(verdict));
  judgement.verdict = verdict;
  judgement.letters = label.letters;
  judgement.name = label.name;
  judgement.code = label.code;
  judgement.reason = std::move(reason);
}

// A program that did all right but its output file.
void judge_missing_file(const TestOrder& order, TestRun& run) {
  if (run.judgement.verdict != Verdict::Accepted || run.facts.file_errors.empty()) return;
  const sandbox::FileError& error = run.facts.file_errors.front();
  const Verdict verdict = error.stage == sandbox::FileStage::TooLarge ? Verdict::OutputLimit
                          : error.stage == sandbox::FileStage::Take   ? Verdict::SystemError
                                                                      : Verdict::WrongAnswer;
  call(run.judgement, verdict, order.policy,
       fmt::format("no output file '{}': {}", error.name, error.why));
}

sandbox::Spec spec_of(const TestOrder& order, TestRun& run, int errors) {
  sandbox::Spec spec = program_spec(order, run);
  spec.errors = sandbox::Collect{.sink = errors};
  const auto name = [&](std::string_view own, const std::string& of_problem) {
    return own.empty() && order.problem.io_mode == IoMode::FileIo ? of_problem : std::string(own);
  };
  const std::string input = name(order.input_file, order.problem.input_file);
  const std::string output = name(order.output_file, order.problem.output_file);
  if (input.empty())
    spec.input = sandbox::Descriptor{run.input.get()};
  else
    spec.files_in.push_back({.name = input, .source = run.input.get()});
  if (output.empty())
    spec.output = sandbox::Collect{.sink = run.output.get()};
  else
    spec.files_out.push_back({.name = output,
                              .sink = run.output.get(),
                              .limit = spec.limits.output.value_or(kOutputWithoutLimit)});
  return spec;
}

}  // namespace

sandbox::Spec program_spec(const TestOrder& order, TestRun& run) {
  const TestLimits limits = limits_of(order);
  const Invocation step = run_step(*order.program.language, order.program.sources, limits.run,
                                   Task::Run, order.arguments);
  run.declared = limits.declared;
  std::vector<sandbox::FileIn> files = order.program.files_in();
  if (order.files != nullptr)
    std::ranges::move(files_for(order.files->solution, order.test.id, Folders::Keep),
                      std::back_inserter(files));
  return {.profile = run_profile(order.problem, step.profile),
          .argv = step.argv,
          .environment = step.environment,
          .files_in = std::move(files),
          .limits = step.limits};
}

void judge_facts(const TestOrder& order, TestRun& run) {
  run.judgement = verdict::judge(run.facts, order.policy);
  if (run.judgement.verdict == Verdict::RuntimeError &&
      ran_out_of_memory(*order.program.language, run.facts, run.errors))
    call(run.judgement, Verdict::MemoryLimit, order.policy, "its runtime ran out of memory");
}

Result<TestRun> run_test(sandbox::Sandbox& engine, const TestOrder& order,
                         Cancellation& cancellation) {
  TestRun run;
  run.input = TRY(sealed(order.test.input));
  run.output = TRY(nameless_file());
  const os::OwnedFd errors = TRY(nameless_file());
  run.facts = TRY(cancellation.run(engine, spec_of(order, run, errors.get())));
  run.errors = TRY(head_and_tail(errors.get(), kLogLimit));
  judge_facts(order, run);
  run.output_size = TRY(size_of(run.output.get()));
  run.shown = TRY(head_and_tail(run.output.get(), kLogLimit));
  judge_missing_file(order, run);
  TRY_STATUS(rewind(run.input.get()));
  TRY_STATUS(rewind(run.output.get()));
  return run;
}

}  // namespace assay::judge
