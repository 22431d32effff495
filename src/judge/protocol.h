// How judges talk with checker programs: what a checker is given, and what its end means. Pure:
// running it is somebody else's work. A checker that dies, is cut off or talks nonsense is
// JudgeFailed, never the submission's fault.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/checker.h"
#include "sandbox/facts.h"

namespace assay::judge {

// Noj: a teacher's program of Normal-OJ beside a student's, see teacher.h; as a checker's it is
// Lines.
enum class Protocol { Testlib, Icpc, ExitCode, Cms, Lines, Boca, Noj };

std::string_view name_of(Protocol protocol);  // "testlib"
std::optional<Protocol> protocol_named(std::string_view name);

struct CheckerFiles {  // as the checker sees them
  std::string input{}, output{}, answer{};
  std::string feedback{};  // a directory; Icpc only
};

// Everything after the program's name.
std::vector<std::string> checker_arguments(Protocol protocol, const CheckerFiles& files,
                                           std::span<const std::string> extra = {});
bool reads_output_on_stdin(Protocol protocol);
bool needs_feedback_directory(Protocol protocol);

// What an ICPC validator left in its feedback directory; absent files are absent here.
struct Feedback {
  std::optional<std::string> judge_message{};     // judgemessage.txt
  std::optional<std::string> team_message{};      // teammessage.txt
  std::optional<std::string> score{};             // score.txt
  std::optional<std::string> score_multiplier{};  // score_multiplier.txt
  bool next_pass = false;                         // nextpass.in exists
};

struct CheckerRun {
  sandbox::End end{};
  sandbox::CutOff cut_off_by = sandbox::CutOff::None;
  std::string_view output{};  // stdout and stderr, or as much of them as was kept
  std::string_view errors{};
  Feedback feedback{};
};

constexpr std::size_t kMessageLimit = 1024;  // characters, then "...(truncated)"

CheckResult interpret(Protocol protocol, const CheckerRun& run,
                      std::size_t message_limit = kMessageLimit);

// The lines "STATUS: AC|WA" and "MESSAGE: text" of Normal-OJ, on a checker's stdout or in an
// interactive teacher's Check_Result. The last of each counts.
CheckResult interpret_status_lines(std::string_view text,
                                   std::size_t message_limit = kMessageLimit);

}  // namespace assay::judge
