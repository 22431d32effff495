// Counts what judging does, by language, problem and task.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "service/judging.h"
#include "service/judgings.h"

namespace assay::transport {

class JudgingMetrics {
 public:
  // A client names problems: beyond so many they are all counted as "other".
  static constexpr std::size_t kMostProblems = 256;

  JudgingMetrics();
  JudgingMetrics(const JudgingMetrics&) = delete;
  JudgingMetrics& operator=(const JudgingMetrics&) = delete;
  ~JudgingMetrics();

  void judging_ended(const service::Judging& judging, const judge::JudgeResult& result);
  [[nodiscard]] std::string text(const service::JudgingSnapshot& now);  // in Prometheus' format

 private:
  std::string label_of(const std::string& problem_id);

  struct Inside;
  std::unique_ptr<Inside> inside_;
  std::mutex lock_;
  std::set<std::string, std::less<>> problems_;
};

}  // namespace assay::transport
