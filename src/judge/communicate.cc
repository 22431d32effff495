#include "judge/communicate.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "exec/fifo.h"
#include "judge/communicate_rule.h"
#include "judge/dialogue.h"
#include "judge/interact_terms.h"
#include "judge/language_steps.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using verdict::Verdict;

constexpr std::string_view kManager = "the manager";
// Of the channels of a process, see add_channels().
constexpr std::size_t kToManager = 0;
constexpr std::size_t kToProcess = 1;

// Descriptors of FIFOs: the manager's pair for each process, and a process' own pair.
constexpr unsigned from_process(std::size_t process) {
  return 3 + 2 * static_cast<unsigned>(process);
}
constexpr unsigned to_process(std::size_t process) {
  return from_process(process) + 1;
}
constexpr unsigned kHears = 3;
constexpr unsigned kSays = 4;

// Everything that the specs point at.
struct Table {
  os::OwnedFd input{}, input_file{}, answer{};
  std::vector<os::OwnedFd> errors{};  // of each process
  std::vector<std::vector<std::string>> arguments{};
  std::string said{}, log{};  // by the manager
};

std::vector<std::string> arguments_of(const Problem& problem, std::size_t process) {
  std::vector<std::string> arguments;
  if (problem.process_io == ProcessIo::Fifo)
    arguments = {exec::fifo_path(kHears), exec::fifo_path(kSays)};
  if (problem.processes > 1) arguments.push_back(std::to_string(process));
  return arguments;
}

std::vector<std::string> arguments_of_manager(const Problem& problem) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < problem.processes; ++i) {
    arguments.push_back(exec::fifo_path(from_process(i)));
    arguments.push_back(exec::fifo_path(to_process(i)));
  }
  const std::vector<std::string>& own = problem.manager->arguments;
  arguments.insert(arguments.end(), own.begin(), own.end());
  return arguments;
}

Result<Table> lay(const TestOrder& order) {
  Table table;
  table.input_file = TRY(sealed(order.test.input));
  // The manager may read the one and the other, each from its start.
  table.input = TRY(os::open(fmt::format("/proc/self/fd/{}", table.input_file.get()), O_RDONLY));
  table.answer = TRY(sealed(order.test.answer));
  for (std::size_t i = 0; i < order.problem.processes; ++i) {
    table.errors.push_back(TRY(nameless_file()));
    table.arguments.push_back(arguments_of(order.problem, i));
  }
  return table;
}

sandbox::Spec manager_spec(const InteractOrder& order, const sandbox::Limits& solution,
                           Table& table) {
  const Manager& manager = *order.test.problem.manager;
  const Invocation step = run_step(*order.interactor.language, order.interactor.sources,
                                   limits_of_partner(order, manager.limits, solution),
                                   Task::Interactor, arguments_of_manager(order.test.problem));
  const auto keep = [](std::string& text) {
    return sandbox::Collect{.text = &text, .limit = kLogLimit, .discard_rest = true};
  };
  sandbox::Spec spec{.profile = step.profile,
                     .argv = step.argv,
                     .environment = step.environment,
                     .input = sandbox::Descriptor{table.input.get()},
                     .output = keep(table.said),
                     .errors = keep(table.log),
                     .files_in = order.interactor.files_in(),
                     .limits = step.limits};
  spec.files_in.push_back({.name = "input.txt", .source = table.input_file.get()});
  spec.files_in.push_back({.name = "answer.txt", .source = table.answer.get()});
  constexpr std::uint64_t kUsualFiles = 256;  // beyond two FIFOs of each, by descriptor and opened
  if (!manager.limits.open_files)
    spec.limits.open_files = kUsualFiles + std::uint64_t{4} * order.test.problem.processes;
  return spec;
}

void add_channels(const InteractOrder& order, std::size_t process, int errors, Group& group) {
  const verdict::Policy& policy = order.test.policy;
  using As = Channel::As;
  const ProcessIo io = order.test.problem.process_io;
  const bool named = io == ProcessIo::Fifo;
  const As as = named ? As::Fifo : io == ProcessIo::Terminal ? As::Terminal : As::Pipe;
  const std::size_t manager = order.test.problem.processes;
  const auto voice = [&](Voice whose) {
    return order.dialogue.count != 0 ? std::optional(number_of(whose, process)) : std::nullopt;
  };
  const Bytes most = most_said(policy, group.programs[process]);
  const Channel::End says{process, named ? kSays : 1, as};
  const Channel::End hears{process, named ? kHears : 0, as};
  group.channels.push_back(
      {.writer = says,
       .reader = Channel::End{manager, from_process(process), As::Fifo},
       .limit = most,
       .keep = kept_for(*order.interactor.language,
                        protocol_of(*order.test.problem.manager, ProblemKind::Communication)),
       .voice = voice(Voice::Solution),
       .reader_gone = fate_of_writers(policy)});
  // A manager never dies of a process that has gone: it reads the end, and says what it thinks.
  group.channels.push_back({.writer = {manager, to_process(process), As::Fifo},
                            .reader = hears,
                            .limit = most_said(policy, group.programs[manager]),
                            .voice = voice(Voice::Interactor)});
  group.channels.push_back({.writer = {process, 2},
                            .sink = errors,
                            .limit = most,
                            .discard_rest = !policy.run.errors_count,
                            .voice = voice(Voice::Errors)});
  if (named) group.channels.push_back({.writer = {process, 1}, .limit = most});  // for nobody
}

// A manager that breaks, or says no with its exit code, ends the processes. One that fails ends
// nobody, and the manager learns of it only after it had the time to judge what was said before;
// others that fail at the same moment are then known to have failed on their own.
Aftermath aftermath_of(const verdict::InteractiveRules& rules, bool is_manager,
                       const sandbox::End& end, CutOff cut) {
  const bool by_order = rules.rule == verdict::Interactive::Testlib;
  const bool fine = end == sandbox::End(sandbox::Exited{0}) && cut == CutOff::None;
  if (!by_order || cut == CutOff::Peer || fine) return Aftermath::Nothing;
  if (!is_manager) return Aftermath::LetDecide;
  return rules.peer_grace ? Aftermath::EndOthers : Aftermath::Nothing;
}

class Meeting {
 public:
  Meeting(const InteractOrder& order, Table table)
      : order_(order),
        count_(order.test.problem.processes),
        table_(std::move(table)),
        transcript_(order.dialogue, order.heard) {}

  Group group() {
    const verdict::InteractiveRules& rules = order_.test.policy.interactive;
    Group group{
        .transcript = &transcript_,
        .aftermath = [&rules, manager = count_](
                         std::size_t program, const sandbox::End& end,
                         CutOff cut) { return aftermath_of(rules, program == manager, end, cut); },
        .grace = rules.peer_grace.value_or(Nanoseconds{})};
    for (std::size_t i = 0; i < count_; ++i) {
      TestOrder one = order_.test;
      one.arguments = table_.arguments[i];
      group.programs.push_back(program_spec(one, done_.talk.run));
    }
    const sandbox::Limits solution = group.programs.front().limits;
    group.programs.push_back(manager_spec(order_, solution, table_));
    limit_idleness(order_.test.policy, group.programs);
    for (std::size_t i = 0; i < count_; ++i)
      add_channels(order_, i, table_.errors[i].get(), group);
    return group;
  }

  Result<Communicated> finish(const GroupRun& ran) {
    CommunicationEnd end{.manager = &ran.facts[count_],
                         .silence = silence_of(ran),
                         .manager_has_mail = manager_has_mail(ran)};
    for (std::size_t i = 0; i < count_; ++i)
      done_.talk.run.output_size.count += to_manager(ran, i).bytes;
    TRY_STATUS(judge_each(ran, end));
    const sandbox::Facts& manager = ran.facts[count_];
    const Protocol protocol = protocol_of(*order_.test.problem.manager, ProblemKind::Communication);
    end.said = interpret_partner(kManager, protocol,
                                 {.end = manager.end,
                                  .cut_off_by = manager.cut_off_by,
                                  .output = table_.said,
                                  .errors = table_.log},
                                 *order_.interactor.language, heard_by_manager(ran));
    Interacted& talk = done_.talk;
    talk.ruling = rule(end, order_.test.policy);
    const auto blamed = process_to_blame(end, order_.test.policy);
    const std::size_t shown = blamed.value_or(0);
    talk.run.facts = together(end.processes, shown);
    talk.run.judgement = verdict::judge(talk.run.facts, order_.test.policy);
    talk.said = std::move(end.said);
    talk.log = table_.said + table_.log;
    talk.result = {.solution_first = blamed ? end.processes[shown].manager_knew : all_before(ran),
                   .managed = true,
                   .interactor = manager};
    talk.result.interactor->file_errors.clear();  // it is asked for none
    if (order_.dialogue.count != 0) talk.result.dialogue = transcript_.take();
    return std::move(done_);
  }

 private:
  // What each did, and what it said on its stderr.
  Status judge_each(const GroupRun& ran, CommunicationEnd& end) {
    for (std::size_t i = 0; i < count_; ++i) {
      TestRun one{.facts = ran.facts[i]};
      one.errors = TRY(head_and_tail(table_.errors[i].get(), Bytes{kLogLimit.count / count_}));
      judge_facts(order_.test, one);
      done_.processes.push_back(one.facts);
      if (count_ > 1 && !one.errors.empty())
        done_.talk.run.errors += fmt::format("process {}:\n", i);
      done_.talk.run.errors += one.errors;
      end.processes.push_back({.facts = std::move(one.facts),
                               .judgement = std::move(one.judgement),
                               .manager_knew = ran.told[count_][i],
                               .has_mail = of_process(ran, i, kToProcess).unread > 0});
    }
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t before = 0; before < count_; ++before)
        if (ran.after[i][before] && end.processes[before].judgement.verdict != Verdict::Accepted)
          end.processes[i].after_failure = true;
    return {};
  }

  [[nodiscard]] bool all_before(const GroupRun& ran) const {
    return std::all_of(ran.facts.begin(), ran.facts.end() - 1, [&](const sandbox::Facts& facts) {
      return facts.exit_order < ran.facts[count_].exit_order;
    });
  }

  [[nodiscard]] const exec::Relay::Counts& of_process(const GroupRun& ran, std::size_t i,
                                                      std::size_t channel) const {
    return ran.channels[place_of(ran, i, channel)];
  }
  [[nodiscard]] std::size_t place_of(const GroupRun& ran, std::size_t i,
                                     std::size_t channel) const {
    return i * (ran.channels.size() / count_) + channel;
  }
  [[nodiscard]] Judged heard_by_manager(const GroupRun& ran) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count_; ++i)
      places.push_back(place_of(ran, i, kToManager));
    return heard_on(ran, std::move(places));
  }
  [[nodiscard]] const exec::Relay::Counts& to_manager(const GroupRun& ran, std::size_t i) const {
    return of_process(ran, i, kToManager);
  }

  // From everybody who still waits: whomever it listens to, it does not.
  [[nodiscard]] bool manager_has_mail(const GroupRun& ran) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (ran.facts[i].cut_off_by == CutOff::Idle && to_manager(ran, i).unread == 0) return false;
    return true;
  }

  const InteractOrder& order_;
  const std::size_t count_;  // of the processes, and the number of the manager
  Table table_;
  exec::Transcript transcript_;
  Communicated done_;
};

}  // namespace

Result<Communicated> communicate(sandbox::Sandbox& engine, const InteractOrder& order,
                                 Cancellation& cancellation) {
  Table table = TRY(lay(order.test));
  Meeting meeting(order, std::move(table));
  const GroupRun ran = TRY(run_group(engine, meeting.group(), cancellation));
  return meeting.finish(ran);
}

}  // namespace assay::judge
