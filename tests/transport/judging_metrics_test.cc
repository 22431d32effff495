#include "transport/judging_metrics.h"

#include <gtest/gtest.h>

#include "tests/service/fake_judge.h"

namespace assay::transport {
namespace {

judge::JudgeResult result_of(const std::string& language) {
  judge::JudgeResult result{.letters = "WA", .language = language};
  result.compile = judge::CompileResult{.ok = true};
  result.tests.push_back({.id = "1", .letters = "AC", .facts = sandbox::Facts{}});
  result.tests.push_back({.id = "2", .letters = "WA", .facts = sandbox::Facts{}});
  result.tests.push_back({.id = "3", .letters = "SKIPPED"});  // did not run: no task
  return result;
}

bool has(const std::string& text, const std::string& line) {
  return text.find(line + "\n") != std::string::npos;
}

TEST(JudgingCounts, AreKeptByLanguageProblemAndTask) {
  JudgingMetrics metrics;
  const service::Judging judging({.problem = service::problem_of(3), .problem_id = "sum"});
  metrics.judging_ended(judging, result_of("cpp"));
  metrics.judging_ended(judging, result_of("cpp"));
  const std::string text = metrics.text({.queued = 5, .running = 2});
  EXPECT_TRUE(has(text, R"(assay_judgings_total{language="cpp",problem="sum",verdict="WA"} 2)"))
      << text;
  for (const char* task : {R"(task="run",verdict="AC"} 2)", R"(task="run",verdict="WA"} 2)",
                           R"(task="compile",verdict="AC"} 2)"})
    EXPECT_TRUE(has(text, R"(assay_tasks_total{language="cpp",problem="sum",)" + std::string(task)))
        << task;
  EXPECT_EQ(text.find("SKIPPED"), std::string::npos);
  EXPECT_TRUE(has(text, R"(assay_judging_seconds_count{language="cpp"} 2)"));
  EXPECT_TRUE(has(text, R"(assay_problem_seconds_count{problem="sum"} 2)"));
  EXPECT_TRUE(has(text, R"(assay_task_cpu_seconds_count{language="cpp",task="run"} 4)"));
  EXPECT_TRUE(has(text, "assay_judgings_queued 5"));
  EXPECT_TRUE(has(text, "assay_judgings_running 2"));
}

TEST(JudgingCounts, HaveABoundedNumberOfProblems) {
  JudgingMetrics metrics;
  for (std::size_t i = 0; i < JudgingMetrics::kMostProblems + 10; ++i)
    metrics.judging_ended(service::Judging({.problem = service::problem_of(3),
                                            .problem_id = "p" + std::to_string(i)}),
                          result_of("c"));
  const std::string text = metrics.text({});
  EXPECT_TRUE(has(text, R"(assay_judgings_total{language="c",problem="other",verdict="WA"} 10)"));
  EXPECT_EQ(text.find("problem=\"p256\""), std::string::npos);
}

}  // namespace
}  // namespace assay::transport
