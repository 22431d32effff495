// A language is data: how its sources are named, compiled, checked and run, and what its runtime
// needs. Read from languages/<id>.toml, so that a new one needs no code. Meanings only: reading is
// in language_file.h, finding in language_set.h, making command lines in language_steps.h, limits
// in language_limits.h.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "judge/flags.h"
#include "sandbox/spec.h"

namespace assay::judge {

// What a program is run for. Each has a profile of its own.
enum class Task { Compile, Lint, Run, Checker, Interactor };
constexpr std::size_t kTasks = 5;

// Words of a command line with `{names}` in them, see language_template.h.
using Template = std::vector<std::string>;

// Exact, so that 1.1 times a second is never a nanosecond more.
struct Factor {
  std::uint64_t thousandths = 1000;
  bool operator==(const Factor&) const = default;
};

struct Step {
  Template argv{};
  std::vector<std::string> environment{};  // "K=V", a template too
  sandbox::Limits limits{};                // instead of the profile's
  std::vector<std::string> outputs{};      // files it makes, which go into the steps that follow
  bool operator==(const Step&) const = default;
};

// How the version that is installed is found out: by running this in a box.
struct Detection {
  Template argv{};
  std::string version{};  // a regular expression; its first group is the version
  bool operator==(const Detection&) const = default;
};

// Something made once that makes later compilations faster, such as a precompiled header.
struct Warmth {
  Step step{};         // its one output is what is kept
  std::string file{};  // what the step reads: a file of this name …
  std::string content{};
  std::string place{};  // the output's name in the work directory of a compilation
  std::string when{};   // a regular expression: sources with such a line profit
  Template use{};       // what {warm} becomes in a compilation that has it
  // Of the extra flags: those (patterns, as in FlagRules) that change what is made, and those with
  // which a compilation would tell that it was used. All others have nothing to do with it.
  std::vector<std::string> flags{"*"};
  std::vector<std::string> never{};
  bool operator==(const Warmth&) const = default;
};

// A file that is put beside the sources of a compilation, such as declarations of what the runtime
// offers. A source of the same name is there instead of it.
struct Companion {
  std::string name{};
  std::string content{};
  bool operator==(const Companion&) const = default;
};

// How a runtime that counts its own heap says that it was too small: everything that is set holds.
struct Exhausted {
  std::optional<std::uint64_t> exit_code{};
  std::optional<std::uint64_t> signal{};
  std::string errors{};  // is somewhere in stderr
  bool operator==(const Exhausted&) const = default;
};

enum class MemoryModel { Native, Managed };  // Managed: no limit of the address space, ever

struct MemoryRules {
  MemoryModel model = MemoryModel::Native;
  Factor multiplier{};
  Bytes overhead{};                   // the runtime's own, allowed beyond the program's limit
  std::optional<Bytes> most_stack{};  // that {stack_mb} and {stack_kb} ever say
  std::vector<Exhausted> exhausted{};
  bool operator==(const MemoryRules&) const = default;
};

struct TimeRules {
  Factor multiplier{};
  Factor wall_factor{2000};  // wall = factor · cpu + extra, where nobody said it
  Nanoseconds wall_extra = std::chrono::milliseconds(500);
  bool operator==(const TimeRules&) const = default;
};

// How the main source is named, and what {entry} is.
enum class NameRule {
  Fixed,  // as `source` says; {entry} is that without its ending
  Java    // as its public class is called; {entry} is the class with main, with its package
};

struct Language {
  std::string id{};
  std::string family{};  // the id of the file it came from; differs in variants
  std::string name{};
  std::vector<std::string> aliases{};
  std::vector<std::string> extensions{};  // without the dot; the first is the usual one
  std::vector<std::string> headers{};     // endings of what its sources include
  std::vector<std::string> packages{};    // of Debian, that install it
  std::string source{};                   // "main.cpp"
  NameRule name_rule = NameRule::Fixed;
  std::string output{};  // "main"; empty: nothing is made
  std::map<std::string, std::string> variables{};
  Detection detection{};
  std::vector<Step> compile{};  // in this order; empty: sources are run as they are
  std::optional<Step> lint{};   // a check of the syntax, for whoever wants it
  Step run{};
  bool from_memory = false;    // what is compiled needs no name to be run by
  bool keeps_sources = false;  // what is compiled finds them beside it when it runs
  std::array<std::string, kTasks> profiles{"compile", "compile", "default", "default", "default"};
  MemoryRules memory{};
  TimeRules time{};
  std::uint64_t more_processes = 0;  // threads of the runtime, allowed beyond the program's limit
  FlagRules flags{};
  std::optional<Warmth> warmth{};
  std::vector<Companion> files{};
  // Regular expressions: a line on stderr that begins so is the runtime's report of an error that
  // nobody caught. Of use where its exit code means something else to whoever runs the program.
  std::vector<std::string> crashes{};
  bool operator==(const Language&) const = default;

  [[nodiscard]] const std::string& profile(Task task) const {
    return profiles[static_cast<std::size_t>(task)];  // NOLINT: an enum of kTasks
  }
};

}  // namespace assay::judge
