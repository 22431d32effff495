#include "judge/native_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace assay::judge {
namespace {

using sandbox::field;
using sandbox::Limits;
using sandbox::Node;
using sandbox::wrong;

// As in FUZOJ's, a limit of 0 says nothing: it is then whatever it would be without the field.
Status read_amount(const Node& node, std::uint64_t& into) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  if (number == nullptr || *number < 0)
    return wrong(node.position, "must be a whole number of 0 or more");
  into = static_cast<std::uint64_t>(*number);
  return {};
}

Status read_milliseconds(const Node& node, std::optional<Nanoseconds>& into) {
  std::uint64_t count = 0;
  TRY_STATUS(read_amount(node, count));
  constexpr std::uint64_t kMost = 24ull * 3600 * 1000;
  if (count > kMost) return wrong(node.position, "must be at most a day");
  if (count != 0) into = std::chrono::milliseconds(count);
  return {};
}

Status read_megabytes(const Node& node, std::optional<Bytes>& into) {
  std::uint64_t count = 0;
  TRY_STATUS(read_amount(node, count));
  if (count > std::numeric_limits<std::uint32_t>::max())
    return wrong(node.position, "is more than any machine has");
  if (count != 0) into = Bytes{count << 20};
  return {};
}

Status read_processes(const Node& node, std::optional<std::uint64_t>& into) {
  std::uint64_t count = 0;
  TRY_STATUS(read_amount(node, count));
  if (count != 0) into = count;
  return {};
}

}  // namespace

Status read_limits(const Node& node, Limits& into) {
  static constexpr std::array kFields{
      field<&Limits::cpu_time, read_milliseconds>("cpuTimeMs"),
      field<&Limits::wall_time, read_milliseconds>("wallTimeMs"),
      field<&Limits::idle_time, read_milliseconds>("idleTimeMs"),
      field<&Limits::memory, read_megabytes>("memoryMB"),
      field<&Limits::stack, read_megabytes>("stackMB"),
      field<&Limits::output, read_megabytes>("outputMB"),
      field<&Limits::processes, read_processes>("pids"),
      // As FUZOJ's packages spell them.
      field<&Limits::cpu_time, read_milliseconds>("timeMs"),
      field<&Limits::processes, read_processes>("processes"),
  };
  return read_table(node, into, kFields);
}

namespace {

Status read_score(const Node& node, double& into) {
  if (const auto* whole = std::get_if<std::int64_t>(&node.value))
    into = static_cast<double>(*whole);
  else if (const auto* number = std::get_if<double>(&node.value))
    into = *number;
  else
    return wrong(node.position, "must be a number");
  return into >= 0 && std::isfinite(into) ? Status{} : wrong(node.position, "must be 0 or more");
}

Status read_some_score(const Node& node, std::optional<double>& into) {
  return read_score(node, into.emplace());
}

Status read_io_mode(const Node& node, IoMode& into) {
  into = TRY(sandbox::read_word(node, {"stdio", "fileio"})) == 0 ? IoMode::Stdio : IoMode::FileIo;
  return {};
}

Status read_stop(const Node& node, std::optional<StopRule>& into) {
  into = static_cast<StopRule>(TRY(sandbox::read_word(node, {"none", "first", "group"})));
  return {};
}

Status read_rule(const Node& node, SubtaskRule& into) {
  into = static_cast<SubtaskRule>(TRY(sandbox::read_word(node, {"all", "sum", "min", "script"})));
  return {};
}

// Short at once: what stands beside a pattern is written into each of its tests.
Status read_id(const Node& node, std::string& into) {
  TRY_STATUS(sandbox::read(node, into));
  if (into.size() <= kLongestId) return {};
  return wrong(node.position, fmt::format("must be at most {} bytes", kLongestId));
}

Status read_test(const Node& node, WrittenTest& into) {
  static constexpr std::array kFields{
      field<&WrittenTest::id, read_id>("testId"),
      field<&WrittenTest::input>("input"),
      field<&WrittenTest::answer>("answer"),
      field<&WrittenTest::pattern>("pattern"),
      field<&WrittenTest::score, read_some_score>("score"),
      field<&WrittenTest::subtask, read_id>("subtaskId"),
      field<&WrittenTest::limits, read_limits>("limits"),
  };
  TRY_STATUS(read_table(node, into, kFields));
  into.position = node.position;
  const bool one = !into.input.empty() && into.pattern.empty();
  const bool many =
      !into.pattern.empty() && into.id.empty() && into.input.empty() && into.answer.empty();
  if (one || many) return {};
  return wrong(node.position,
               "a test needs an 'input', with a 'testId' and an 'answer', or only a 'pattern'");
}

Status read_tests(const Node& node, std::vector<WrittenTest>& into) {
  if (std::holds_alternative<std::string>(node.value)) {
    into.emplace_back().position = node.position;
    return sandbox::read(node, into.back().pattern);
  }
  TRY_STATUS(read_each(node, into, read_test));
  return into.empty() ? wrong(node.position, "the problem has no tests") : Status{};
}

Status read_subtask(const Node& node, Subtask& into) {
  static constexpr std::array kFields{
      field<&Subtask::id, read_id>("id"),
      field<&Subtask::score, read_score>("score"),
      field<&Subtask::rule, read_rule>("rule"),
      field<&Subtask::depends_on, read_strings>("dependsOn"),
  };
  TRY_STATUS(read_table(node, into, kFields));
  return into.id.empty() ? wrong(node.position, "a subtask needs an 'id'") : Status{};
}

Status read_subtasks(const Node& node, std::vector<Subtask>& into) {
  return read_each(node, into, read_subtask);
}

Status read_process_io(const Node& node, ProcessIo& into) {
  std::string name;
  TRY_STATUS(sandbox::read(node, name));
  const auto io = process_io_named(name);
  if (!io) return wrong(node.position, "must be stdio, fifo or terminal");
  into = *io;
  return {};
}

Status read_kind(const Node& node, ProblemKind& into) {
  into = static_cast<ProblemKind>(TRY(sandbox::read_word(
      node, {"batch", "outputOnly", "interactive", "multipass", "communication", "twostep"})));
  return {};
}

// How large it may be is for check_problem() to say.
Status read_number(const Node& node, unsigned& into) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  if (number == nullptr || *number < 0 || *number > 1'000'000)
    return wrong(node.position, "must be a number");
  into = static_cast<unsigned>(*number);
  return {};
}

// A name, or seed 000's number for it.
Status read_build(const Node& node, BuildStrategy& into) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  const auto* word = std::get_if<std::string>(&node.value);
  const std::string name = number != nullptr ? std::to_string(*number)
                           : word != nullptr ? *word
                                             : "";
  const auto strategy = build_strategy_named(name);
  if (!strategy)
    return wrong(
        node.position,
        "must be compile (0), makeNormal (1), makeFunctionOnly (2) or makeInteractive (3)");
  into = *strategy;
  return {};
}

}  // namespace

Result<WrittenProblem> read_problem(const Node& document) {
  WrittenProblem problem;
  static constexpr std::array kFields{
      field<&WrittenProblem::kind, read_kind>("type"),
      field<&WrittenProblem::passes, read_number>("passes"),
      field<&WrittenProblem::build, read_build>("buildStrategy"),
      field<&WrittenProblem::build_files, read_strings>("buildFiles"),
      field<&WrittenProblem::build_archive>("buildArchive"),
      field<&WrittenProblem::graders, read_graders>("grader"),
      field<&WrittenProblem::graders, read_graders>("graders"),
      field<&WrittenProblem::io_mode, read_io_mode>("ioMode"),
      field<&WrittenProblem::input_file>("inputFileName"),
      field<&WrittenProblem::output_file>("outputFileName"),
      field<&WrittenProblem::limits, read_limits>("limits"),
      field<&WrittenProblem::checker, read_checker>("checker"),
      field<&WrittenProblem::interactor, read_interactor>("interactor"),
      field<&WrittenProblem::manager, read_manager>("manager"),
      field<&WrittenProblem::processes, read_number>("processes"),
      field<&WrittenProblem::process_io, read_process_io>("io"),
      field<&WrittenProblem::scorer, read_scorer>("scorer"),
      field<&WrittenProblem::granted_flags, read_strings>("grantedFlags"),
      field<&WrittenProblem::tests, read_tests>("tests"),
      field<&WrittenProblem::subtasks, read_subtasks>("subtasks"),
      field<&WrittenProblem::stop, read_stop>("stop"),
  };
  TRY_STATUS(read_table(document, problem, kFields));
  return problem;
}

}  // namespace assay::judge
