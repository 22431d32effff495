#include "wire/noj_result.h"

#include <algorithm>
#include <chrono>

#include "verdict/noj_lines.h"
#include "wire/writer.h"

namespace assay::wire {
namespace {

using sandbox::Facts;

// As Python's subprocess says it: minus the signal.
std::int64_t exit_of(const Facts& facts) {
  if (const auto* exited = std::get_if<sandbox::Exited>(&facts.end)) return exited->code;
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&facts.end)) return -signaled->signal;
  if (std::holds_alternative<sandbox::Forbidden>(facts.end)) return -31;  // SIGSYS
  return 1;
}

std::string lines_of(const Facts& facts) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  return verdict::noj_lines(
      facts, {.time = duration_cast<milliseconds>(facts.limits.cpu_time.value_or(Nanoseconds{})),
              .memory = facts.limits.memory.value_or(Bytes{~0ULL})});
}

void append_side(Object& object, const std::string& who, const Facts& facts,
                 std::string_view errors) {
  object.text(who + "Stderr", errors);
  object.number(who + "Exit", exit_of(facts));
  object.text(who + "Result", lines_of(facts));
}

Facts teacher_of(const judge::TestResult& test) {
  return test.interaction ? test.interaction->interactor.value_or(Facts{}) : Facts{};
}

}  // namespace

NojUsage noj_usage(const judge::TestResult& test) {
  const Facts student = test.facts.value_or(Facts{});
  const Facts teacher = teacher_of(test);
  const Bytes memory = std::max(student.memory_peak, teacher.memory_peak);
  const auto wall = std::max(student.wall, teacher.wall);
  return {.milliseconds = std::chrono::floor<std::chrono::milliseconds>(wall).count(),
          .kibibytes = memory.count == 0 ? -1 : static_cast<std::int64_t>(memory.count / 1024)};
}

void append_noj_result(std::string& out, const judge::TestResult& test) {
  const NojUsage usage = noj_usage(test);
  Object object(out);
  object.text("Status", test.letters);
  object.text("Stdout", "");
  object.text("Stderr", test.message);
  object.number("Duration", usage.milliseconds);
  object.number("MemUsage", usage.kibibytes);
  object.number("DockerExitCode", 0);
  object.text("pipeMode", "devfd");  // anonymous pipes, which /dev/fd names
  append_side(object, "teacher", teacher_of(test), test.checker_log);
  append_side(object, "student", test.facts.value_or(Facts{}), test.errors);
  object.close();
}

}  // namespace assay::wire
