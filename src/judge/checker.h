// What a check says about one output, whether a built-in comparison or a program made it.
#pragma once

#include <optional>
#include <string>

#include "verdict/verdict.h"

namespace assay::judge {

// A share is a part of what the test is worth, 0 to 1; points are absolute, and only whoever knows
// the problem can say how many are all of them.
struct Score {
  enum class Unit { Share, Points };
  Unit unit = Unit::Share;
  double value = 0;
  bool operator==(const Score&) const = default;
};

struct CheckResult {
  // Accepted, WrongAnswer, PresentationError, PartiallyCorrect or JudgeFailed; Skipped when the
  // check was stopped for reasons that are nobody's.
  verdict::Verdict verdict = verdict::Verdict::JudgeFailed;
  std::optional<Score> score{};
  std::string message{};       // for judges: may quote the answer. Always safe_text
  std::string team_message{};  // for the author of the submission, where the protocol has one
  bool another_pass = false;   // ICPC multi-pass: run the submission again on nextpass.in
  bool operator==(const CheckResult&) const = default;
};

}  // namespace assay::judge
