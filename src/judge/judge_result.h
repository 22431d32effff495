// What judging a submission says, with the evidence. The names on the wire are seed 001's; writing
// them is the business of whoever speaks to somebody.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "exec/transcript.h"
#include "sandbox/facts.h"
#include "verdict/verdict.h"

namespace assay::judge {

constexpr Bytes kLogLimit = 64_KiB;  // of each log that a result carries
// Of the logs of all tests together: a program that fills them in each of 10 000 tests would be
// gigabytes of ours, and of whoever asks for the result. Where tests are many, each log has its
// part of that, and kLogOfMany at the least.
constexpr Bytes kLogsTogether = 8_MiB;
constexpr Bytes kLogOfMany = 256_B;
constexpr Bytes kDialoguesTogether = 64_MiB;  // likewise, where dialogues are kept

// Failed: we did (SE), or it was cancelled.
enum class JudgeStatus { Finished, Failed };

constexpr JudgeStatus status_of(verdict::Verdict verdict) {
  const bool failed =
      verdict == verdict::Verdict::SystemError || verdict == verdict::Verdict::Skipped;
  return failed ? JudgeStatus::Failed : JudgeStatus::Finished;
}

struct CompileResult {
  bool ok = false;
  std::optional<int> exit_code{};  // none: it did not exit
  Nanoseconds time{};              // CPU, of all steps
  Bytes memory{};                  // the largest peak
  std::string log{};               // both streams of all steps, cut at kLogLimit
  std::string error{};             // one sentence; empty when ok
  bool cached = false;             // nothing was compiled: time, memory and log are the first one's
};

// How a dialogue with an interactor ended.
struct InteractionResult {
  bool solution_first = false;  // it ended before the interactor, and the interactor was told
  bool taught = false;          // by a teacher of Normal-OJ
  bool managed = false;         // the interactor is the manager of a communication problem
  std::optional<sandbox::Facts> interactor{};
  std::optional<exec::Dialogue> dialogue{};  // where it was asked for; see dialogue.h
};

struct TestResult {
  std::string id{};
  std::string subtask{};
  verdict::Verdict verdict = verdict::Verdict::Skipped;
  std::string letters{};       // in the policy's words
  std::string message{};       // one sentence for people: judges
  std::string team_message{};  // what the checker says to the submission's author
  Nanoseconds time{};          // as the policy reports it
  Nanoseconds wall{};
  Bytes memory{};
  Bytes output_size{};
  std::optional<int> exit_code{};
  std::string output{};  // cut at kLogLimit, as the others
  std::string errors{};
  std::string checker_log{};
  // With a soft limit: what it would have got without any. Set only where that is another verdict.
  std::optional<verdict::Verdict> verdict_without_limit{};
  std::string letters_without_limit{};
  bool sanitizer_report = false;         // a sanitizer complained on its stderr
  std::vector<Nanoseconds> run_times{};  // CPU, of all its runs; empty: there was one
  double share = 0;                      // of what it is worth, 0 to 1
  double score = 0;
  // None: it did not run. Of several runs: the one that decided, with the times of all of them.
  std::optional<sandbox::Facts> facts{};
  std::vector<sandbox::Facts> processes{};  // each run of a communication or a twostep problem
  std::optional<InteractionResult> interaction{};
};

struct SubtaskResult {
  std::string id{};
  double score = 0;
  bool solved = false;  // all its tests, and all it depends on
};

// What a problem's own scorer said beside the score.
struct ScriptScore {
  std::string message{};
  std::string breakdown{};  // JSON, as it is; empty: none
};

struct Summary {
  Nanoseconds total_time{};
  Bytes max_memory{};
  double total_score = 0;
  std::string failed_test{};  // the first that failed, or that is partially correct if none did
  std::string worst{};        // of all verdicts, by the policy's order, in its words
  // As those of a test; the score is not told: it would say more than one run can.
  std::optional<verdict::Verdict> verdict_without_limit{};
  std::string letters_without_limit{};
  bool sanitizer_report = false;
};

struct JudgeResult {
  using Clock = std::chrono::system_clock;
  std::string submission_id{};
  JudgeStatus status = JudgeStatus::Finished;
  verdict::Verdict verdict = verdict::Verdict::Skipped;
  std::string letters{};
  std::string message{};  // why, where the tests do not say
  double score = 0;
  std::string language{};                  // its id
  std::optional<CompileResult> compile{};  // none: the language is run as it is
  std::optional<CompileResult> lint{};     // none: nobody asked, or the language has no such check
  std::vector<TestResult> tests{};
  std::vector<SubtaskResult> subtasks{};
  std::optional<ScriptScore> script{};  // none: the problem has no scorer
  Summary summary{};
  Clock::time_point received_at{};
  Clock::time_point finished_at{};
};

}  // namespace assay::judge
