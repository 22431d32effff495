// The words a judge can say. Their letters, whole names and numbers belong to a policy.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace assay::verdict {

enum class Verdict {
  Accepted,
  WrongAnswer,
  PresentationError,
  PartiallyCorrect,
  CompileError,
  RuntimeError,
  TimeLimit,
  IdleLimit,
  MemoryLimit,
  OutputLimit,
  JudgeFailed,    // a checker, an interactor or a validator failed: nobody's submission is to blame
  SystemError,    // we failed
  Skipped,        // it did not run, or was stopped for reasons that are not its own
  AnalysisError,  // the source breaks a rule of the problem
};

inline constexpr std::array kVerdicts = {
    Verdict::Accepted,         Verdict::WrongAnswer,   Verdict::PresentationError,
    Verdict::PartiallyCorrect, Verdict::CompileError,  Verdict::RuntimeError,
    Verdict::TimeLimit,        Verdict::IdleLimit,     Verdict::MemoryLimit,
    Verdict::OutputLimit,      Verdict::JudgeFailed,   Verdict::SystemError,
    Verdict::Skipped,          Verdict::AnalysisError,
};

constexpr std::size_t index_of(Verdict verdict) {
  return static_cast<std::size_t>(verdict);
}

// "time_limit": the spelling in policy files and in everything else a machine reads.
std::string_view name_of(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view name);

// It took too long, computing or waiting.
bool is_slow(Verdict verdict);
bool is_limit_exceeded(Verdict verdict);
// Ours or the problem's failure, never the submission's.
bool is_our_fault(Verdict verdict);

}  // namespace assay::verdict
