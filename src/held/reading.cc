#include "held/reading.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

namespace assay::held {
namespace {

using sandbox::CutOff;

constexpr std::size_t kLongestText = 1000;

const char* reason_of(CutOff cut) {
  switch (cut) {
    case CutOff::None:
      return nullptr;
    case CutOff::Cpu:
      return "cpu time limit exceeded";
    case CutOff::Wall:
      return "wall time limit exceeded";
    case CutOff::Idle:
      return "idle time limit exceeded";
    case CutOff::Memory:
      return "memory limit exceeded";
    case CutOff::Output:
      return "output limit exceeded";
    case CutOff::Files:
      return "file limit exceeded";
    case CutOff::Peer:
      return "its peer ended";
    case CutOff::Cancelled:
      return "cancelled";
    case CutOff::Terminated:
      return "forced termination";
    case CutOff::Shutdown:
      return "the sandbox shuts down";
  }
  return nullptr;
}

std::string signal_text(int signal) {
  std::string text =
      fmt::format("interrupted by signal {} - {}", signal, sandbox::name_of_signal(signal));
  if (signal == SIGSEGV) text += " - Segmentation fault";
  if (signal == SIGSYS) text += " - Bad system call";
  return text;
}

// Only our own kill has a reason: whoever exits or crashes at the limit did that by itself.
std::string killed_text(int signal, CutOff cut) {
  const char* reason = signal == SIGKILL ? reason_of(cut) : nullptr;
  return signal_text(signal) +
         (reason == nullptr ? "" : fmt::format(", killed because: {}", reason));
}

}  // namespace

std::string describe_end(const sandbox::Facts& facts) {
  if (const auto* end = std::get_if<sandbox::Exited>(&facts.end))
    return end->code == 0 ? "exited normally" : fmt::format("exited with status {}", end->code);
  if (const auto* end = std::get_if<sandbox::Signaled>(&facts.end))
    return killed_text(end->signal, facts.cut_off_by);
  if (std::holds_alternative<sandbox::Forbidden>(facts.end)) return signal_text(SIGSYS);
  return describe_no_start(sandbox::describe(std::get<sandbox::NotStarted>(facts.end)));
}

bool was_forced(const sandbox::Facts& facts) {
  const auto* end = std::get_if<sandbox::Signaled>(&facts.end);
  return facts.cut_off_by == CutOff::Terminated && end != nullptr && end->signal == SIGKILL;
}

std::string describe_no_start(std::string_view why) {
  std::string text = "not started: ";
  text += why.substr(0, kLongestText);
  // Names of files and words of compilers come from strangers.
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

std::string status_lines(const Reading& reading) {
  return fmt::format("{}\n{}\n{}\n", reading.cpu.count() / 1000, reading.memory_now.count,
                     reading.text);
}

}  // namespace assay::held
