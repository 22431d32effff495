#include "judge/interact.h"

#include "judge/dialogue.h"
#include "judge/feedback.h"
#include "judge/interact_terms.h"
#include "judge/language_steps.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;

constexpr std::size_t kSolution = 0;
constexpr std::size_t kInteractor = 1;
// The channels, in the order of channels_of().
constexpr std::size_t kToInteractor = 0;
constexpr std::size_t kToSolution = 1;

constexpr Bytes kMostWritten = 256_MiB;  // of the interactor's output file

const CheckerFiles kFiles{
    .input = "input.txt", .output = "output.txt", .answer = "answer.txt", .feedback = "feedback"};

// Everything that the two specs point at.
struct Table {
  os::OwnedFd input{}, answer{}, output{}, errors{};
  std::string log{};
  FeedbackDirectory feedback{kFiles.feedback};
};

sandbox::Spec interactor_spec(const InteractOrder& order, const sandbox::Limits& solution,
                              Table& table) {
  const Interactor& interactor = *order.test.problem.interactor;
  const RunLimits limits = limits_of_partner(order, interactor.limits, solution);
  const Invocation step =
      run_step(*order.interactor.language, order.interactor.sources, limits, Task::Interactor,
               checker_arguments(interactor.protocol, kFiles, interactor.arguments));
  sandbox::Spec spec{
      .profile = step.profile,
      .argv = step.argv,
      .environment = step.environment,
      .errors = sandbox::Collect{.text = &table.log, .limit = kLogLimit, .discard_rest = true},
      .files_in = order.interactor.files_in(),
      .limits = step.limits};
  spec.files_in.push_back({.name = kFiles.input, .source = table.input.get()});
  spec.files_in.push_back({.name = kFiles.answer, .source = table.answer.get()});
  if (needs_feedback_directory(interactor.protocol))
    table.feedback.order(spec);
  else
    spec.files_out.push_back({.name = kFiles.output,
                              .sink = table.output.get(),
                              .limit = step.limits.output.value_or(kMostWritten)});
  return spec;
}

std::vector<Channel> channels_of(const InteractOrder& order, const Group& group, int errors) {
  const verdict::Policy& policy = order.test.policy;
  const auto reader_gone = fate_of_writers(policy);
  const auto as = order.test.problem.process_io == ProcessIo::Terminal ? Channel::As::Terminal
                                                                       : Channel::As::Pipe;
  const auto voice = [&](Voice whose) {
    return order.dialogue.count != 0 ? std::optional(number_of(whose)) : std::nullopt;
  };
  const auto most = [&](std::size_t program) {
    return most_said(policy, group.programs[program]);
  };
  return {{.writer = {kSolution, 1, as},
           .reader = Channel::End{kInteractor, 0},
           .limit = most(kSolution),
           .keep = kept_for(*order.interactor.language, order.test.problem.interactor->protocol),
           .voice = voice(Voice::Solution),
           .reader_gone = reader_gone},
          {.writer = {kInteractor, 1},
           .reader = Channel::End{kSolution, 0, as},
           .limit = most(kInteractor),
           .voice = voice(Voice::Interactor),
           .reader_gone = reader_gone},
          {.writer = {kSolution, 2},
           .sink = errors,
           .limit = most(kSolution),
           .discard_rest = !policy.run.errors_count,
           .voice = voice(Voice::Errors)}};
}

// An interactor that says no, or breaks, ends the solution; a solution that breaks ends nobody, but
// what it said before counts.
Aftermath aftermath_of(const verdict::InteractiveRules& rules, int accepted, std::size_t program,
                       const sandbox::End& end, CutOff cut) {
  const bool by_order = rules.rule == verdict::Interactive::Testlib;
  if (!by_order || cut == CutOff::Peer) return Aftermath::Nothing;
  if (program == kSolution) {
    const bool fine = end == sandbox::End(sandbox::Exited{0});
    return fine || cut != CutOff::None ? Aftermath::Nothing : Aftermath::LetDecide;
  }
  const bool fine = end == sandbox::End(sandbox::Exited{accepted}) && cut == CutOff::None;
  return fine || !rules.peer_grace ? Aftermath::Nothing : Aftermath::EndOthers;
}

// A solution is first only if the interactor knew, or if nothing depends on it.
FirstToEnd first_of(const GroupRun& run) {
  const sandbox::Facts& solution = run.facts[kSolution];
  const bool fine =
      solution.end == sandbox::End(sandbox::Exited{0}) && solution.cut_off_by == CutOff::None;
  const bool by_clock = solution.exit_order < run.facts[kInteractor].exit_order;
  const bool told = run.told[kInteractor][kSolution];
  return told || (fine && by_clock) ? FirstToEnd::Solution : FirstToEnd::Interactor;
}

Result<Table> lay(const TestOrder& order) {
  Table table;
  table.input = TRY(sealed(order.test.input));
  table.answer = TRY(sealed(order.test.answer));
  table.output = TRY(nameless_file());
  table.errors = TRY(nameless_file());
  return table;
}

// Two programs and what they need, before and after their run.
class Pair {
 public:
  Pair(const InteractOrder& order, Table table)
      : order_(order), table_(std::move(table)), transcript_(order.dialogue, order.heard) {}

  Group group() {
    const verdict::InteractiveRules& rules = order_.test.policy.interactive;
    const int accepted = protocol() == Protocol::Icpc ? 42 : 0;
    Group group{.transcript = &transcript_,
                .aftermath =
                    [&rules, accepted](std::size_t program, const sandbox::End& end, CutOff cut) {
                      return aftermath_of(rules, accepted, program, end, cut);
                    },
                .grace = rules.peer_grace.value_or(Nanoseconds{})};
    group.programs.push_back(program_spec(order_.test, done_.run));
    group.programs.push_back(interactor_spec(order_, group.programs[kSolution].limits, table_));
    limit_idleness(order_.test.policy, group.programs);
    group.channels = channels_of(order_, group, table_.errors.get());
    return group;
  }

  Result<Interacted> finish(const GroupRun& ran) {
    TestRun& run = done_.run;
    run.facts = ran.facts[kSolution];
    run.errors = TRY(head_and_tail(table_.errors.get(), kLogLimit));
    judge_facts(order_.test, run);
    done_.log = std::move(table_.log);
    judge(ran);
    if (order_.dialogue.count != 0) done_.result.dialogue = transcript_.take();
    run.output_size = Bytes{ran.channels[kToInteractor].bytes};
    run.input = std::move(table_.input);
    run.output = {.file = std::make_shared<const os::OwnedFd>(std::move(table_.output))};
    TRY_STATUS(rewind(run.input.get()));
    return std::move(done_);
  }

 private:
  [[nodiscard]] Protocol protocol() const { return order_.test.problem.interactor->protocol; }

  void judge(const GroupRun& ran) {
    sandbox::Facts interactor = ran.facts[kInteractor];
    CheckerRun spoken{
        .end = interactor.end, .cut_off_by = interactor.cut_off_by, .errors = done_.log};
    if (needs_feedback_directory(protocol())) spoken.feedback = table_.feedback.found(interactor);
    done_.said = interpret_partner("the interactor", protocol(), spoken,
                                   *order_.interactor.language, heard_on(ran, {kToInteractor}));
    interactor.file_errors.clear();  // all it may leave is left or not as it likes
    done_.result.solution_first = first_of(ran) == FirstToEnd::Solution;
    done_.ruling = rule({.solution = &done_.run.facts,
                         .interactor = &interactor,
                         .of_solution = done_.run.judgement,
                         .first = first_of(ran),
                         .said = done_.said,
                         .silence = silence_of(ran),
                         .interactor_has_mail = ran.channels[kToInteractor].unread > 0,
                         .solution_has_mail = ran.channels[kToSolution].unread > 0},
                        order_.test.policy);
    done_.result.interactor = std::move(interactor);
  }

  const InteractOrder& order_;
  Table table_;
  exec::Transcript transcript_;
  Interacted done_;
};

}  // namespace

Result<Interacted> interact(sandbox::Sandbox& engine, const InteractOrder& order,
                            Cancellation& cancellation) {
  Pair pair(order, TRY(lay(order.test)));
  return pair.finish(TRY(run_group(engine, pair.group(), cancellation)));
}

}  // namespace assay::judge
