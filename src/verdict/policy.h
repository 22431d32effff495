// A policy is a value read from a file: it says how facts become a verdict and what the verdict is
// called. judge() uses the run rules and the labels; the other sections are read by whoever judges
// whole submissions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "sandbox/spec.h"
#include "verdict/verdict.h"

namespace assay::verdict {

enum class CpuClock { Total, User };
enum class Comparison { Greater, GreaterOrEqual };
// Measured; at least the limit when too slow; the wall limit when the wall clock ended it.
enum class ReportTime { Measured, AtLeastLimit, WallLimit };
// How a run that was stopped from outside for no fault of its own is called.
enum class Stopped { Skipped, ByEnd };
// What may hold of a run. A run order lists them, strongest first.
enum class Cause { NotStarted, CutOff, Cpu, Wall, Memory, Output, Forbidden, Runtime, FileError };
// Over the tests of a submission: the first that is not accepted, or the worst.
enum class Aggregate { First, Worst };
enum class Stop { None, First, Group, Dependents };
enum class Interactive { Testlib, StudentFirst, Evaluator };
// Once a program's reader has gone: the rest is thrown away, or it gets SIGPIPE.
enum class ReaderGone { Drain, Signal };
// What an interactor that breaks a limit makes of the test: a failure of the judge, or that limit.
enum class InteractorExcess { JudgeFailed, ByLimit };
enum class Compare { None, Exact, Lines, Tokens };  // None: it has none of its own, so as ours
enum class CheckerAnswer { Testlib, ExitCode, StatusLines };
enum class Stack { Memory, Unlimited };
enum class WaitPolarity { ZeroTerminates, OneTerminates };

struct Label {
  std::string letters{};
  std::string name{};         // whole, as the system that the policy reproduces writes it
  std::optional<int> code{};  // its number there
  bool operator==(const Label&) const = default;
};
using Labels = std::array<Label, kVerdicts.size()>;

// Finer words for a runtime or system error; without them the verdict's own label is used.
struct EndLabels {
  std::optional<Label> exit_code{}, signal{}, forbidden{}, file_error{};
  bool operator==(const EndLabels&) const = default;
};

struct RunRules {
  CpuClock cpu_clock = CpuClock::Total;
  Comparison comparison = Comparison::Greater;
  std::optional<Comparison> soft_comparison{};  // with the declared limit, when double was allowed
  Verdict wall_verdict = Verdict::TimeLimit;    // of a wall cut-off within the CPU limit
  Verdict not_executable = Verdict::RuntimeError;
  Stopped stopped = Stopped::Skipped;
  bool crash_may_be_time_limit = false;  // a crash past the limit that nobody acted on
  bool errors_count = false;             // too much on stderr is an output limit, too
  ReportTime report_time = ReportTime::Measured;
  std::vector<Cause> order{};
  bool operator==(const RunRules&) const = default;
};

// The wall limit where none is given: factor * CPU limit + extra. No factor: the language's
// formula.
struct WallRules {
  std::optional<double> factor{};
  Nanoseconds extra{};
  std::map<std::string, Nanoseconds> extra_of_language{};  // by its family's id
  std::optional<Nanoseconds> interactor_extra{};           // past the solution's
  bool operator==(const WallRules&) const = default;
};

// What a run's limits are where neither the problem nor the language says.
struct LimitRules {
  std::optional<double> address_space_factor{};  // times the memory limit
  std::optional<Bytes> address_space{};
  Stack stack = Stack::Memory;
  double stack_factor = 1.0;  // times the memory limit
  std::optional<Bytes> output{}, interactive_output{};
  std::optional<std::uint64_t> processes{};
  bool round_up = false;  // after a language's multiplier, to whole milliseconds and MiB
  bool operator==(const LimitRules&) const = default;
};

struct SubmissionRules {
  Aggregate aggregate = Aggregate::First;
  std::vector<std::string> order{};  // letters, best first
  Stop stop = Stop::None;
  std::optional<unsigned> score_sum{};  // what the scores of a problem must add up to
  bool whole_scores = false;            // a scorer's that is no whole number is 0
  bool operator==(const SubmissionRules&) const = default;
};

struct CheckRules {
  Compare compare = Compare::Tokens;
  CheckerAnswer checker = CheckerAnswer::Testlib;
  Verdict invalid_result = Verdict::JudgeFailed;
  std::optional<std::uint64_t> message_limit{};  // characters
  bool operator==(const CheckRules&) const = default;
};

struct InteractiveRules {
  Interactive rule = Interactive::Testlib;
  std::optional<Nanoseconds> start_gap{};
  std::optional<Nanoseconds> peer_grace{};  // for the others once one has failed; none: no end
  std::optional<Nanoseconds> idle{};        // nobody does anything for so long, where none is given
  ReaderGone reader_gone = ReaderGone::Drain;
  InteractorExcess interactor_excess = InteractorExcess::JudgeFailed;
  std::optional<std::uint64_t> new_files{};  // the teacher's program may make
  bool operator==(const InteractiveRules&) const = default;
};

// For a caller that holds the process by the hand and asks between steps.
struct HeldRules {
  WaitPolarity wait = WaitPolarity::ZeroTerminates;
  std::optional<Nanoseconds> grace{};
  bool operator==(const HeldRules&) const = default;
};

struct Policy {
  std::string name{};
  std::string about{};
  RunRules run{};
  WallRules wall{};
  LimitRules limits{};
  sandbox::Limits compile{};
  sandbox::Limits helper{};  // checkers, interactors and scorers that say nothing themselves
  SubmissionRules submission{};
  CheckRules check{};
  InteractiveRules interactive{};
  HeldRules held{};
  Labels verdicts{};
  EndLabels ends{};
  bool operator==(const Policy&) const = default;
};

Result<Policy> parse_policy(std::string name, std::string_view toml_text);
// Reads '<directory>/<name>.toml'; a name that is none there is NotFound.
Result<Policy> load_policy(const std::string& directory, const std::string& name);
Result<std::vector<std::string>> list_policies(const std::string& directory);  // sorted

}  // namespace assay::verdict
