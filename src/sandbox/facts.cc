#include "sandbox/facts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace assay::sandbox {
namespace {

struct SyscallName {
  int number;
  std::string_view name;
};

#if defined(__x86_64__)
constexpr auto kSyscalls = std::to_array<SyscallName>({
#include "sandbox/syscall_names.inc"
});
static_assert(std::ranges::is_sorted(kSyscalls, {}, &SyscallName::number));
#else
constexpr std::array<SyscallName, 0> kSyscalls{};  // numbers differ per architecture
#endif

std::string kernel_words(int error) {
  const char* text = ::strerrordesc_np(error);
  return text != nullptr ? text : "error " + std::to_string(error);
}

std::string why_not_executed(int error) {
  switch (error) {
    case ENOENT:
      return "no such file in the box, or the interpreter that it names is missing";
    case EACCES:
      return "permission denied (is it executable?)";
    case ENOEXEC:
      return "not a program that this machine can run (a script needs a #! line)";
    case E2BIG:
      return "its arguments and environment are too long";
    case ETXTBSY:
      return "it is still open for writing";
    case ENOMEM:
      return "it does not fit into the memory limit";
    case EAGAIN:
      return "the limit of processes is reached";
    default:
      return kernel_words(error);
  }
}

}  // namespace

std::string_view name_of(CutOff cut) {
  switch (cut) {
    case CutOff::None:
      return "none";
    case CutOff::Cpu:
      return "cpu";
    case CutOff::Wall:
      return "wall";
    case CutOff::Idle:
      return "idle";
    case CutOff::Memory:
      return "memory";
    case CutOff::Output:
      return "output";
    case CutOff::Files:
      return "files";
    case CutOff::Peer:
      return "peer";
    case CutOff::Cancelled:
      return "cancelled";
    case CutOff::Terminated:
      return "terminated";
    case CutOff::Shutdown:
      return "shutdown";
  }
  return "unknown";
}

std::string_view name_of(BoxMode mode) {
  switch (mode) {
    case BoxMode::Full:
      return "full";
    case BoxMode::Degraded:
      return "degraded";
    case BoxMode::None:
      return "none";
  }
  return "unknown";
}

std::string name_of_signal(int signal) {
  if (const char* name = ::sigabbrev_np(signal); name != nullptr) return "SIG" + std::string(name);
  constexpr int kFirstRealTime = 32;  // the kernel's; SIGRTMIN leaves out those that glibc keeps
  if (signal >= kFirstRealTime && signal <= 64)
    return "real-time signal " + std::to_string(signal - kFirstRealTime);
  return "unknown signal";
}

std::string name_of_syscall(int syscall) {
  const auto* place = std::ranges::lower_bound(kSyscalls, syscall, {}, &SyscallName::number);
  if (place != kSyscalls.end() && place->number == syscall) return std::string(place->name);
  return "system call " + std::to_string(syscall);
}

std::string describe(const NotStarted& failure) {
  const std::string object = failure.what.empty() ? "" : " '" + failure.what + "'";
  if (failure.step == "execute")
    return "could not execute" + (object.empty() ? " the program" : object) + ": " +
           why_not_executed(failure.error);
  return "could not prepare the box: " + failure.step + object +
         (failure.error != 0 ? ": " + kernel_words(failure.error) : "");
}

}  // namespace assay::sandbox
