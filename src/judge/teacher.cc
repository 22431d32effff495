#include "judge/teacher.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/dialogue.h"
#include "judge/language_steps.h"
#include "sandbox/limits.h"

namespace assay::judge {
namespace {

using sandbox::CutOff;
using verdict::Verdict;

constexpr const char* kCheckResult = "Check_Result";
constexpr const char* kTestcase = "testcase.in";
constexpr const char* kSourcesPlace = "/src/";
constexpr Bytes kLargestCheckResult = 64_KiB;
constexpr Bytes kUsualOutput = 64_MiB;  // N22
constexpr std::size_t kMostCounted = 100'000;

Bytes output_limit(const TestOrder& order) {
  const sandbox::Limits written = sandbox::merge_limits(
      order.request, sandbox::merge_limits(order.test.limits, order.problem.limits));
  return written.output.value_or(order.policy.limits.interactive_output.value_or(kUsualOutput));
}

// Everything that the two specs point at, and the order in which they start.
struct Room {
  os::OwnedFd testcase{}, errors{};
  std::string log{};
  std::string check_result{};
  std::vector<sandbox::FoundFile> left{};  // in the teacher's directory, afterwards
  std::size_t put_in = 0;                  // there, before
  bool teacher_first = false;

  [[nodiscard]] std::size_t student() const { return teacher_first ? 1 : 0; }
  [[nodiscard]] std::size_t teacher() const { return teacher_first ? 0 : 1; }
};

// As much as the student may use, and independently: the limits of the problem are for both.
RunLimits limits_of_teacher(const InteractOrder& order) {
  const auto profile = order.test.profiles.find(kTeacherProfile);
  return limits_of_test(
             *order.interactor.language, order.test.policy,
             {.request = order.test.problem.interactor->limits,
              .problem = sandbox::merge_limits(order.test.test.limits, order.test.problem.limits),
              .profile =
                  profile == order.test.profiles.end() ? sandbox::Limits{} : profile->second},
             {})
      .run;
}

void add_resources(const TestOrder& order, sandbox::Spec& spec) {
  if (order.files == nullptr) return;
  for (sandbox::FileIn& file : files_for(order.files->teacher, order.test.id, Folders::Drop)) {
    file.mode = 0600;
    spec.files_in.push_back(std::move(file));
  }
}

sandbox::Spec teacher_spec(const InteractOrder& order, Room& room) {
  const Invocation step = run_step(*order.interactor.language, order.interactor.sources,
                                   limits_of_teacher(order), Task::Interactor);
  sandbox::Spec spec{
      .profile = kTeacherProfile,
      .argv = step.argv,
      .environment = step.environment,
      .errors = sandbox::Collect{.text = &room.log, .limit = kLogLimit, .discard_rest = true},
      .files_in = order.interactor.files_in(),
      .limits = step.limits};
  spec.environment.push_back(std::string("CASE_PATH=/teacher/") + kTestcase);
  spec.files_in.push_back({.name = kTestcase, .source = room.testcase.get(), .mode = 0600});
  add_resources(order.test, spec);
  room.put_in = spec.files_in.size();
  for (const SourceFile& source : order.test.program.handed_in)
    spec.files_in.push_back(
        {.name = kSourcesPlace + source.name, .content = source.content, .mode = 0444});
  spec.files_out.push_back(
      {.name = kCheckResult, .limit = kLargestCheckResult, .text = &room.check_result});
  spec.trees_out.push_back({.found = &room.left, .most = kMostCounted});
  return spec;
}

std::vector<Channel> channels_of(const InteractOrder& order, const Room& room) {
  const auto reader_gone = order.test.policy.interactive.reader_gone == verdict::ReaderGone::Signal
                               ? exec::Relay::ReaderGone::Break
                               : exec::Relay::ReaderGone::Drain;
  const auto voice = [&](Voice whose) {
    return order.dialogue.count != 0 ? std::optional(number_of(whose)) : std::nullopt;
  };
  const Bytes limit = output_limit(order.test);
  return {{.writer = {room.student(), 1},
           .reader = Channel::End{room.teacher(), 0},
           .limit = limit,
           .voice = voice(Voice::Solution),
           .reader_gone = reader_gone},
          {.writer = {room.teacher(), 1},
           .reader = Channel::End{room.student(), 0},
           .limit = limit,
           .voice = voice(Voice::Interactor),
           .reader_gone = reader_gone},
          {.writer = {room.student(), 2},
           .sink = room.errors.get(),
           .limit = limit,
           .discard_rest = !order.test.policy.run.errors_count,
           .voice = voice(Voice::Errors)}};
}

Group group_of(const InteractOrder& order, Room& room, TestRun& run, exec::Transcript& notes) {
  Group group{.transcript = &notes};
  group.programs.resize(2);
  group.programs[room.student()] = program_spec(order.test, run);
  group.programs[room.teacher()] = teacher_spec(order, room);
  const Bytes output = output_limit(order.test);
  for (sandbox::Spec& spec : group.programs)
    spec.limits.output = output;
  // Files are charged to the memory of whoever writes them: the largest that is allowed must break
  // its own limit and not that one.
  if (auto& memory = group.programs[room.teacher()].limits.memory) memory->count += output.count;
  group.programs[1].start_gap = order.test.policy.interactive.start_gap.value_or(Nanoseconds{});
  group.channels = channels_of(order, room);
  return group;
}

// Before the other errors of taking out: a Check_Result that is no file is as good as none.
CheckResult word_of(const Room& room, const sandbox::Facts& teacher,
                    const verdict::Policy& policy) {
  const auto error =
      std::ranges::find(teacher.file_errors, kCheckResult, &sandbox::FileError::name);
  const std::size_t limit = policy.check.message_limit.value_or(kMessageLimit);
  if (error == teacher.file_errors.end()) return read_check_result(room.check_result, "", limit);
  return read_check_result(std::nullopt, error->error == ENOENT ? "" : error->why, limit);
}

std::uint64_t new_files(const Room& room) {
  return room.left.size() - std::min(room.left.size(), room.put_in);
}

}  // namespace

CheckResult read_check_result(const std::optional<std::string>& text, std::string_view why,
                              std::size_t message_limit) {
  const auto failed = [](std::string message) {
    return CheckResult{.verdict = Verdict::JudgeFailed, .message = std::move(message)};
  };
  if (!text)
    return failed(why.empty() ? "Check_Result not found"
                              : fmt::format("Check_Result not found: {}", why));
  const CheckResult said = interpret_status_lines(*text, message_limit);
  // There is one: what is missing in it is the line.
  if (said.verdict == Verdict::JudgeFailed && said.message.starts_with("Check_Result not found"))
    return failed("Invalid Check_Result STATUS");
  return said;
}

Ruling with_files(Ruling ruling, std::uint64_t new_files, const verdict::Policy& policy) {
  if (ruling.verdict != Verdict::Accepted || !policy.interactive.new_files ||
      new_files <= *policy.interactive.new_files)
    return ruling;
  return {policy.check.invalid_result,
          fmt::format("teacher created too many files ({})", new_files)};
}

Result<Interacted> teach(sandbox::Sandbox& engine, const InteractOrder& order,
                         Cancellation& cancellation) {
  Room room{.teacher_first = order.test.problem.interactor->starts_first};
  room.testcase = TRY(sealed(order.test.test.input));
  room.errors = TRY(nameless_file());
  Interacted done;
  exec::Transcript notes(order.dialogue, order.heard);
  const GroupRun ran = TRY(run_group(engine, group_of(order, room, done.run, notes), cancellation));
  TestRun& run = done.run;
  run.facts = ran.facts[room.student()];
  run.errors = TRY(head_and_tail(room.errors.get(), kLogLimit));
  judge_facts(order.test, run);
  sandbox::Facts teacher = ran.facts[room.teacher()];
  done.said = word_of(room, teacher, order.test.policy);
  teacher.file_errors.clear();  // all it may leave is left or not as it likes
  done.result.solution_first = run.facts.exit_order < teacher.exit_order;
  const PairEnd pair{
      .solution = &run.facts,
      .interactor = &teacher,
      .of_solution = run.judgement,
      .first = done.result.solution_first ? FirstToEnd::Solution : FirstToEnd::Interactor,
      .said = done.said,
      .exit_code_speaks = false};
  done.ruling = with_files(rule(pair, order.test.policy), new_files(room), order.test.policy);
  done.log = std::move(room.log);
  if (order.dialogue.count != 0) done.result.dialogue = notes.take();
  done.result.taught = true;
  done.result.interactor = std::move(teacher);
  run.output_size = Bytes{ran.channels.front().bytes};
  return done;
}

}  // namespace assay::judge
