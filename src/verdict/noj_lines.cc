#include "verdict/noj_lines.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

namespace assay::verdict {
namespace {

using sandbox::CutOff;
using sandbox::Facts;

// As the original would have seen it: there the kernel's limits and its own watcher send signals.
int signal_of(const Facts& facts) {
  if (facts.cut_off_by == CutOff::Wall) return SIGKILL;
  if (facts.cut_off_by == CutOff::Cpu) return SIGXCPU;
  if (facts.cut_off_by == CutOff::Output) return SIGXFSZ;
  if (std::holds_alternative<sandbox::Forbidden>(facts.end)) return SIGSYS;
  if (const auto* signaled = std::get_if<sandbox::Signaled>(&facts.end)) return signaled->signal;
  return facts.cut_off_by == CutOff::None ? 0 : SIGKILL;
}

int exit_code_of(const Facts& facts) {
  const auto* exited = std::get_if<sandbox::Exited>(&facts.end);
  return exited != nullptr ? exited->code : 1;  // not started: the original's child exits with 1
}

std::string_view status_of(const Facts& facts, const NojLimits& limits, int signal) {
  const bool too_long = facts.cut_off_by == CutOff::Wall || signal == SIGXCPU ||
                        facts.cpu_user > Nanoseconds(limits.time);
  const bool too_large = facts.memory_peak > limits.memory || facts.oom_kills > 0 ||
                         facts.cut_off_by == CutOff::Memory;
  if (too_long) return "TLE";
  if (signal == SIGXFSZ) return "OLE";
  if (too_large) return "MLE";
  if (signal != 0 || exit_code_of(facts) != 0) return "RE";
  return "Exited Normally";
}

std::string end_line(const Facts& facts, int signal, std::string_view status) {
  if (signal != 0)
    return fmt::format("WEXITSTATUS() = 0, WTERMSIG() = {} ({})", signal, ::sigdescr_np(signal));
  const bool says_exited = status == "RE" || status == "Exited Normally";
  return fmt::format("{}WEXITSTATUS() = {}", says_exited ? "WIFEXITED - " : "",
                     exit_code_of(facts));
}

}  // namespace

std::string noj_lines(const Facts& facts, const NojLimits& limits) {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const int signal = signal_of(facts);
  const std::string_view status = status_of(facts, limits, signal);
  const milliseconds time = facts.cut_off_by == CutOff::Wall
                                ? limits.time + kNojWatcherExtra
                                : duration_cast<milliseconds>(facts.cpu_user);
  return fmt::format("{}\n{}\n{}\n{}\n", status, end_line(facts, signal, status), time.count(),
                     facts.memory_peak.count / 1024);
}

std::string noj_failure_lines() {
  return "RE\nwait4() = -1\n0\n0\n";
}

}  // namespace assay::verdict
