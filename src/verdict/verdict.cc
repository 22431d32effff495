#include "verdict/verdict.h"

namespace assay::verdict {
namespace {

constexpr std::array<std::string_view, kVerdicts.size()> kNames = {
    "accepted",      "wrong_answer",   "presentation_error", "partially_correct",
    "compile_error", "runtime_error",  "time_limit",         "idle_limit",
    "memory_limit",  "output_limit",   "judge_failed",       "system_error",
    "skipped",       "analysis_error",
};
static_assert(index_of(kVerdicts.back()) + 1 == kVerdicts.size());

}  // namespace

std::string_view name_of(Verdict verdict) {
  return kNames.at(index_of(verdict));
}

std::optional<Verdict> verdict_named(std::string_view name) {
  for (const Verdict verdict : kVerdicts) {
    if (name_of(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool is_slow(Verdict verdict) {
  return verdict == Verdict::TimeLimit || verdict == Verdict::IdleLimit;
}

bool is_limit_exceeded(Verdict verdict) {
  return is_slow(verdict) || verdict == Verdict::MemoryLimit || verdict == Verdict::OutputLimit;
}

bool is_our_fault(Verdict verdict) {
  return verdict == Verdict::JudgeFailed || verdict == Verdict::SystemError;
}

}  // namespace assay::verdict
