#include "verdict/reason.h"

#include <optional>
#include <type_traits>
#include <variant>

namespace assay::verdict {
namespace {

using sandbox::CutOff;
using sandbox::Facts;

// ", limit 1.000 s", or nothing where the limit is not known.
std::string limit_part(const std::optional<Nanoseconds>& limit) {
  return limit ? ", limit " + format_duration(*limit) : "";
}

std::string more_than(const std::optional<Bytes>& limit) {
  return limit ? "more than " + format_bytes(*limit) : "more than allowed";
}

std::string sentence(const sandbox::Exited& end) {
  return end.code == 0 ? "exited normally" : "exited with code " + std::to_string(end.code);
}
std::string sentence(const sandbox::Signaled& end) {
  return "killed by signal " + std::to_string(end.signal) + " (" +
         sandbox::name_of_signal(end.signal) + ")";
}
std::string sentence(const sandbox::Forbidden& end) {
  return "called " + sandbox::name_of_syscall(end.syscall) + ", which the profile forbids";
}
std::string sentence(const sandbox::NotStarted& end) {
  return sandbox::describe(end);
}

}  // namespace

std::string about_cpu(const Facts& facts, CpuClock clock) {
  const bool user = clock == CpuClock::User;
  return "used " + format_duration(user ? facts.cpu_user : facts.cpu_total) +
         (user ? " of user CPU time" : " of CPU time") + limit_part(facts.limits.cpu_time);
}

std::string about_wall(const Facts& facts) {
  const std::string starved =
      facts.starved >= std::chrono::milliseconds(1)
          ? " (without a cpu for " + format_duration(facts.starved) + " of it)"
          : "";
  return "ran for " + format_duration(facts.wall) + " of wall time" + starved +
         limit_part(facts.limits.wall_time);
}

std::string about_idle(const Facts& facts) {
  return "no CPU progress for " + (facts.limits.idle_time ? format_duration(*facts.limits.idle_time)
                                                          : "longer than allowed");
}

std::string about_memory(const Facts& facts) {
  const auto& limit = facts.limits.memory;
  if (limit && facts.memory_peak > *limit)
    return "used " + format_bytes(facts.memory_peak) + " of memory, limit " + format_bytes(*limit);
  // The program went on: only a process that it had started was killed.
  if (std::holds_alternative<sandbox::Exited>(facts.end) && facts.oom_kills > 0)
    return "a process that it started needed " + more_than(limit) + " of memory";
  return "needed " + more_than(limit) + " of memory";
}

std::string about_output(const Facts& facts) {
  const auto& limit = facts.limits.output;
  if (facts.output.over_limit) return "wrote " + more_than(limit) + " to stdout";
  // Before stderr, which may be over its limit without being the reason.
  if (facts.file_over_limit || facts.cut_off_by == CutOff::Files)
    return "wrote " + more_than(limit) + " to a file";
  if (facts.errors.over_limit) return "wrote " + more_than(limit) + " to stderr";
  const bool by_kernel = facts.cut_off_by == CutOff::None;  // SIGXFSZ
  if (by_kernel) return "wrote " + more_than(limit) + " to a file";
  return "wrote " + more_than(facts.limits.total_output) + " in all";
}

std::string about_end(const sandbox::End& end) {
  return std::visit([](const auto& how) { return sentence(how); }, end);
}

std::string about_stop(CutOff cut) {
  switch (cut) {
    case CutOff::Peer:
      return "stopped because another program of its group had ended";
    case CutOff::Cancelled:
      return "cancelled";
    case CutOff::Terminated:
      return "terminated by the caller";
    case CutOff::Shutdown:
      return "stopped because the engine was shutting down";
    default:
      return "stopped";
  }
}

}  // namespace assay::verdict
