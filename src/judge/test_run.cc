#include "judge/test_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/content.h"
#include "judge/language_steps.h"
#include "sandbox/limits.h"

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
  spec.errors = sandbox::Collect{.sink = errors, .discard_rest = !order.policy.run.errors_count};
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

// An output file lies in memory that the program is charged for (C-3): the largest that is allowed
// must not break the memory limit.
Bytes room_for_file(const sandbox::Spec& spec) {
  return spec.files_out.empty() ? Bytes{} : spec.files_out.front().limit;
}

// Afterwards the memory is judged without the file. That it may have been larger before is not
// known: somebody who writes much and takes it back is charged for it. Nor is, of the peak, whether
// the file was there already: who had the memory before, and gave it back, is held to what its
// greatest process had, less what that may have mapped of libraries.
void forget_file(Bytes room, Bytes size, sandbox::Facts& facts) {
  constexpr std::uint64_t kMapped = 8U << 20;
  if (room.count == 0) return;
  if (facts.limits.memory) facts.limits.memory->count -= room.count;
  const auto too_large = [](const sandbox::FileError& error) {
    return error.stage == sandbox::FileStage::TooLarge;
  };
  const bool full = facts.file_over_limit || std::ranges::any_of(facts.file_errors, too_large);
  const std::uint64_t peak = facts.memory_peak.count;
  const std::uint64_t resident = facts.rss_peak.count - std::min(facts.rss_peak.count, kMapped);
  facts.memory_peak.count =
      std::max(peak - std::min(peak, full ? room.count : size.count), std::min(peak, resident));
}

Result<sandbox::Facts> run_with_room(sandbox::Sandbox& engine, sandbox::Spec spec, int output,
                                     Cancellation& cancellation) {
  const bool limited = spec.limits.memory.has_value();
  const Bytes room = limited ? room_for_file(spec) : Bytes{};
  if (limited) spec.limits.memory->count += room.count;
  sandbox::Facts facts = TRY(cancellation.run(engine, spec));
  forget_file(room, TRY(size_of(output)), facts);
  return facts;
}

}  // namespace

sandbox::Spec program_spec(const TestOrder& order, TestRun& run) {
  const TestLimits limits = limits_of(order);
  const Invocation step = run_step(*order.program.language, order.program.sources, limits.run,
                                   Task::Run, order.arguments);
  run.declared = limits.declared;
  sandbox::Spec spec{.profile = run_profile(order.problem, step.profile),
                     .argv = step.argv,
                     .environment = step.environment,
                     .limits = step.limits};
  order.program.put_into(spec);
  if (order.files != nullptr)
    std::ranges::move(files_for(order.files->solution, order.test.id, Folders::Keep),
                      std::back_inserter(spec.files_in));
  return spec;
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
  run.facts =
      TRY(run_with_room(engine, spec_of(order, run, errors.get()), run.output.get(), cancellation));
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
