// Where the time of a judging went, for `assay judge --profile`.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "judge/pipeline.h"

namespace assay::cli {

class JudgeProfile {
 public:
  using Clock = std::chrono::steady_clock;

  // The same events, noted on their way. `this` must outlive them.
  judge::JudgeEvents around(judge::JudgeEvents events);

  [[nodiscard]] std::string text(const judge::JudgeResult& result, unsigned workers) const;

 private:
  Clock::time_point begun_ = Clock::now();
  std::optional<Clock::time_point> compiled_{};
  std::optional<Clock::time_point> finished_{};
};

}  // namespace assay::cli
