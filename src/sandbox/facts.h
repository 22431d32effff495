// What happened to a program, measured, without opinion. Policies turn facts into verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/units.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

struct Exited {
  int code = 0;
  bool operator==(const Exited&) const = default;
};
struct Signaled {
  int signal = 0;
  bool core = false;
  bool operator==(const Signaled&) const = default;
};
// The system call filter ended it.
struct Forbidden {
  int syscall = 0;
  bool operator==(const Forbidden&) const = default;
};
// It never became the program: `step` and `what` name the step of the set-up that failed.
struct NotStarted {
  std::string step{};  // "execute", "work directory", "limit", …
  std::string what{};  // the file, limit or mount concerned
  int error = 0;       // errno
  bool operator==(const NotStarted&) const = default;
};
constexpr std::string_view kPutIn = "put in";  // the step of a file that could not be put in
using End = std::variant<Exited, Signaled, Forbidden, NotStarted>;

// What ended the run from outside, if anything did. Kept apart from End: a program may be cut off
// and still exit.
enum class CutOff {
  None,
  Cpu,
  Wall,
  Idle,
  Memory,
  Output,
  Files,
  Peer,
  Cancelled,
  Terminated,
  Shutdown
};

// How much of the isolation was there: Degraded names what was missing, None is a setter's laptop.
enum class BoxMode { Full, Degraded, None };

struct StreamFacts {
  std::uint64_t bytes = 0;  // that the program wrote and we took
  bool over_limit = false;  // it wrote more than the limit; what was kept is cut there
  bool operator==(const StreamFacts&) const = default;
};

// At which point a file went wrong: putting it in, or taking it out.
enum class FileStage { Create, Fill, Link, Open, NotRegular, TooLarge, Take };

// A file that could not be put in or taken out, and why. The run's other facts stand.
struct FileError {
  std::string name{};
  std::string why{};
  int error = 0;
  FileStage stage = FileStage::Open;
  bool operator==(const FileError&) const = default;
};

struct Facts {
  End end{};
  CutOff cut_off_by = CutOff::None;
  Nanoseconds cpu_total{};
  Nanoseconds cpu_user{};
  Nanoseconds cpu_system{};
  Nanoseconds wall{};
  // Of that: it would have run, and a busy machine gave it no cpu. Looked at only when the wall
  // limit is near; what is judged is the rest.
  Nanoseconds starved{};
  Bytes memory_peak{};
  Bytes memory_now{};          // when the facts were taken; 0 after the end
  std::string memory_meter{};  // which meter memory_peak came from
  Bytes rss_peak{};  // of its greatest process: without files it wrote, with those it has mapped
  std::optional<Bytes> section_peak{};  // since the last Section::Begins; none: not measured
  std::uint64_t oom_kills = 0;
  std::uint64_t processes_peak = 0;     // 0: not measured in this box
  std::uint64_t processes_refused = 0;  // forks that met the limit
  StreamFacts output{};
  StreamFacts errors{};
  std::vector<StreamFacts> streams{};  // by descriptor, those that were not collected too
  bool file_over_limit = false;        // a file the program wrote reached the size limit
  bool slept = false;                  // cut off as idle: it did not wait for news, but for time
  std::uint64_t switches_voluntary = 0;
  std::uint64_t switches_forced = 0;
  unsigned exit_order = 0;  // among the programs of a group, from 0
  std::vector<FileError> file_errors{};
  BoxMode box = BoxMode::Full;
  std::vector<std::string> missing{};  // what a degraded box lacks
  Limits limits{};                     // those in force, after the profile's defaults
};

std::string_view name_of(CutOff cut);
std::string_view name_of(BoxMode mode);
std::string name_of_signal(int signal);           // "SIGSEGV"
std::string name_of_syscall(int syscall);         // "ptrace"
std::string describe(const NotStarted& failure);  // one sentence a user can act on

}  // namespace assay::sandbox
