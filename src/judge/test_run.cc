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

// What a program writes is in memory while it is short, as it mostly is, else in a file.
struct Written {
  Content content{};
  os::OwnedFd file{};

  sandbox::Collect collect() {
    return {.text = &content.text, .overflow = &file, .most_text = kLogLimit};
  }
  Content take() {
    if (file.is_open()) content.file = std::make_shared<const os::OwnedFd>(std::move(file));
    return std::move(content);
  }
};

struct Streams {
  Written output{}, errors{};
};

// Of a file instead of a stream; empty: it is the stream.
std::string name_of(std::string_view own, const std::string& of_problem, const TestOrder& order) {
  return own.empty() && order.problem.io_mode == IoMode::FileIo ? of_problem : std::string(own);
}

std::string output_name(const TestOrder& order) {
  return name_of(order.output_file, order.problem.output_file, order);
}

sandbox::Spec spec_of(const TestOrder& order, TestRun& run, Streams& streams) {
  sandbox::Spec spec = program_spec(order, run);
  sandbox::Collect errors = streams.errors.collect();
  errors.discard_rest = !order.policy.run.errors_count;
  spec.errors = errors;
  const std::string input = name_of(order.input_file, order.problem.input_file, order);
  const std::string output = output_name(order);
  if (input.empty())
    spec.input = sandbox::Descriptor{run.input.get()};
  else
    spec.files_in.push_back({.name = input, .source = run.input.get()});
  if (output.empty())
    spec.output = streams.output.collect();
  else
    spec.files_out.push_back({.name = output,
                              .sink = streams.output.file.get(),
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

Result<sandbox::Facts> run_with_room(sandbox::Sandbox& engine, sandbox::Spec spec,
                                     const Written& output, Cancellation& cancellation) {
  const bool limited = spec.limits.memory.has_value();
  const Bytes room = limited ? room_for_file(spec) : Bytes{};
  if (limited) spec.limits.memory->count += room.count;
  sandbox::Facts facts = TRY(cancellation.run(engine, std::move(spec)));
  if (room.count != 0) forget_file(room, TRY(size_of(output.file.get())), facts);
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
  Streams streams;
  if (!output_name(order).empty()) streams.output.file = TRY(nameless_file());
  run.facts =
      TRY(run_with_room(engine, spec_of(order, run, streams), streams.output, cancellation));
  run.errors = TRY(head_and_tail(streams.errors.take(), kLogLimit));
  judge_facts(order, run);
  run.output = streams.output.take();
  run.output_size = TRY(size_of(run.output));
  run.shown = TRY(head_and_tail(run.output, kLogLimit));
  judge_missing_file(order, run);
  TRY_STATUS(rewind(run.input.get()));
  return run;
}

}  // namespace assay::judge
