#include "verdict/judge.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <utility>
#include <variant>

#include "sandbox/host_failure.h"
#include "verdict/reason.h"

namespace assay::verdict {
namespace {

using sandbox::CutOff;
using sandbox::Facts;

struct Finding {
  Verdict verdict = Verdict::Accepted;
  std::string reason{};
  std::optional<Label> EndLabels::* label = nullptr;  // a finer word than the verdict's own
};
using Maybe = std::optional<Finding>;

int signal_of(const Facts& facts) {
  const auto* end = std::get_if<sandbox::Signaled>(&facts.end);
  return end != nullptr ? end->signal : 0;
}

// What was acted on. A kill by the kernel for a limit that we set counts: it is our limit at work.
CutOff acted_on(const Facts& facts) {
  if (facts.cut_off_by != CutOff::None) return facts.cut_off_by;
  switch (signal_of(facts)) {
    case SIGXCPU:  // the kernel sends it behind the limit; before, somebody else did
      return facts.limits.cpu_time && facts.cpu_total > *facts.limits.cpu_time ? CutOff::Cpu
                                                                               : CutOff::None;
    case SIGXFSZ:
      return CutOff::Output;
    case SIGKILL:
      return facts.oom_kills > 0 ? CutOff::Memory : CutOff::None;
    default:
      return CutOff::None;
  }
}

// Ended by somebody else's decision: that says nothing about the program.
bool was_stopped(const Facts& facts) {
  const CutOff cut = facts.cut_off_by;
  return cut == CutOff::Peer || cut == CutOff::Cancelled || cut == CutOff::Terminated ||
         cut == CutOff::Shutdown;
}

bool has_crashed(const Facts& facts) {
  constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  return std::ranges::find(kCrashes, signal_of(facts)) != kCrashes.end();
}

Nanoseconds cpu_time(const Facts& facts, CpuClock clock) {
  return clock == CpuClock::User ? facts.cpu_user : facts.cpu_total;
}

bool exceeds(Nanoseconds used, const std::optional<Nanoseconds>& limit, Comparison comparison) {
  if (!limit) return false;
  return comparison == Comparison::Greater ? used > *limit : used >= *limit;
}

bool is_over_cpu(const Facts& facts, const RunRules& rules) {
  return exceeds(cpu_time(facts, rules.cpu_clock), facts.limits.cpu_time, rules.comparison);
}

// Wall time alone is waiting, and a policy may have its own name for that; with too much CPU time
// it is not.
Finding too_long(const Facts& facts, const RunRules& rules) {
  if (is_over_cpu(facts, rules)) return {Verdict::TimeLimit, about_cpu(facts, rules.cpu_clock)};
  return {rules.wall_verdict, about_wall(facts)};
}

Maybe not_started(const Facts& facts, const RunRules& rules) {
  const auto* end = std::get_if<sandbox::NotStarted>(&facts.end);
  if (end == nullptr) return std::nullopt;
  if (was_stopped(facts) && rules.stopped == Stopped::Skipped) return std::nullopt;
  if (end->step != "execute" || sandbox::is_the_hosts(end->error))
    return Finding{Verdict::SystemError, about_end(facts.end)};
  // The kernel loads the program under its limits: a static array too big for them ends here.
  if (facts.oom_kills > 0) return Finding{Verdict::MemoryLimit, about_memory(facts)};
  return Finding{rules.not_executable, about_end(facts.end)};
}

Maybe cut_off(const Facts& facts, const RunRules& rules) {
  if (was_stopped(facts)) {
    if (rules.stopped == Stopped::ByEnd) return std::nullopt;
    return Finding{Verdict::Skipped, about_stop(facts.cut_off_by)};
  }
  switch (acted_on(facts)) {
    case CutOff::Cpu:
      return Finding{Verdict::TimeLimit, about_cpu(facts, CpuClock::Total)};
    case CutOff::Wall:
      return too_long(facts, rules);
    case CutOff::Idle:
      return Finding{Verdict::IdleLimit, about_idle(facts)};
    case CutOff::Memory:
      return Finding{Verdict::MemoryLimit, about_memory(facts)};
    case CutOff::Output:
    case CutOff::Files:
      return Finding{Verdict::OutputLimit, about_output(facts)};
    default:
      return std::nullopt;
  }
}

// Unless the policy allows it, a crash is a crash, even if nobody noticed in time that it was also
// too late.
bool is_time_measured(const Facts& facts, const RunRules& rules) {
  return rules.crash_may_be_time_limit || !has_crashed(facts);
}

Maybe over_cpu(const Facts& facts, const RunRules& rules) {
  if (!is_time_measured(facts, rules) || !is_over_cpu(facts, rules)) return std::nullopt;
  return Finding{Verdict::TimeLimit, about_cpu(facts, rules.cpu_clock)};
}

Maybe over_wall(const Facts& facts, const RunRules& rules) {
  if (!is_time_measured(facts, rules)) return std::nullopt;
  if (!exceeds(facts.wall - facts.starved, facts.limits.wall_time, rules.comparison))
    return std::nullopt;
  return too_long(facts, rules);
}

Maybe over_memory(const Facts& facts, const RunRules&) {
  const auto& limit = facts.limits.memory;
  if (facts.oom_kills == 0 && !(limit && facts.memory_peak > *limit)) return std::nullopt;
  return Finding{Verdict::MemoryLimit, about_memory(facts)};
}

Maybe over_output(const Facts& facts, const RunRules& rules) {
  const bool too_much = facts.output.over_limit || facts.file_over_limit ||
                        (facts.errors.over_limit && rules.errors_count);
  if (!too_much) return std::nullopt;
  return Finding{Verdict::OutputLimit, about_output(facts)};
}

Maybe forbidden(const Facts& facts, const RunRules&) {
  const bool filtered = std::holds_alternative<sandbox::Forbidden>(facts.end);
  if (!filtered && signal_of(facts) != SIGSYS) return std::nullopt;
  return Finding{Verdict::RuntimeError, about_end(facts.end), &EndLabels::forbidden};
}

Maybe runtime(const Facts& facts, const RunRules&) {
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  if (exited != nullptr && exited->code == 0) return std::nullopt;
  return Finding{Verdict::RuntimeError, about_end(facts.end),
                 exited != nullptr ? &EndLabels::exit_code : &EndLabels::signal};
}

Maybe file_error(const Facts& facts, const RunRules&) {
  if (facts.file_errors.empty()) return std::nullopt;
  const auto& first = facts.file_errors.front();
  return Finding{Verdict::SystemError, "file '" + first.name + "': " + first.why,
                 &EndLabels::file_error};
}

Maybe test(Cause cause, const Facts& facts, const RunRules& rules) {
  switch (cause) {
    case Cause::NotStarted:
      return not_started(facts, rules);
    case Cause::CutOff:
      return cut_off(facts, rules);
    case Cause::Cpu:
      return over_cpu(facts, rules);
    case Cause::Wall:
      return over_wall(facts, rules);
    case Cause::Memory:
      return over_memory(facts, rules);
    case Cause::Output:
      return over_output(facts, rules);
    case Cause::Forbidden:
      return forbidden(facts, rules);
    case Cause::Runtime:
      return runtime(facts, rules);
    case Cause::FileError:
      return file_error(facts, rules);
  }
  return std::nullopt;
}

Finding find(const Facts& facts, const RunRules& rules) {
  for (const Cause cause : rules.order) {
    if (Maybe finding = test(cause, facts, rules)) return *std::move(finding);
  }
  // An order that leaves out the ends must not turn a failure into success.
  return runtime(facts, rules).value_or(Finding{Verdict::Accepted, about_end(facts.end)});
}

Nanoseconds reported_time(const Facts& facts, const Policy& policy, Verdict verdict) {
  const Nanoseconds measured = cpu_time(facts, policy.run.cpu_clock);
  const auto& limit = facts.limits.cpu_time;
  if (!is_slow(verdict) || !limit) return measured;
  switch (policy.run.report_time) {
    case ReportTime::Measured:
      return measured;
    case ReportTime::AtLeastLimit:
      return std::max(measured, *limit);
    case ReportTime::WallLimit:
      return facts.cut_off_by == CutOff::Wall ? *limit + policy.wall.extra : measured;
  }
  return measured;
}

const Label& label_of(const Finding& finding, const Policy& policy) {
  if (finding.label != nullptr) {
    if (const auto& finer = policy.ends.*finding.label) return *finer;
  }
  return policy.verdicts.at(index_of(finding.verdict));
}

std::size_t rank(Verdict verdict, const Policy& policy) {
  const auto& order = policy.submission.order;
  const auto place = std::ranges::find(order, policy.verdicts.at(index_of(verdict)).letters);
  if (place == order.end() && verdict == Verdict::Skipped) return 0;
  return static_cast<std::size_t>(place - order.begin()) + 1;
}

}  // namespace

Judgement judge(const Facts& facts, const Policy& policy) {
  Finding finding = find(facts, policy.run);
  const Label& label = label_of(finding, policy);
  return {.verdict = finding.verdict,
          .letters = label.letters,
          .reason = std::move(finding.reason),
          .reported_time = reported_time(facts, policy, finding.verdict),
          .name = label.name,
          .code = label.code};
}

Verdict worst(std::span<const Verdict> verdicts, const Policy& policy) {
  const auto by_rank = [&policy](Verdict verdict) {
    return rank(verdict, policy);
  };
  const auto place = std::ranges::max_element(verdicts, {}, by_rank);
  return place == verdicts.end() ? Verdict::Skipped : *place;
}

}  // namespace assay::verdict
