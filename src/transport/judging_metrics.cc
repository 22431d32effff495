#include "transport/judging_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace assay::transport {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Labels;

const Histogram::BucketBoundaries kSeconds = {0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                              0.5,   1,     2.5,   5,    10,    25,   50,  100};

double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e9;
}

}  // namespace

struct JudgingMetrics::Inside {
  prometheus::Registry registry;
  Family<Counter>& counters(const char* name, const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
  }
  Family<Histogram>& histograms(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
  }
  Family<Gauge>& gauges(const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
  }
  Family<Counter>& judgings =
      counters("assay_judgings_total", "Judgings that ended, by language, problem and verdict");
  Family<Histogram>& duration =
      histograms("assay_judging_seconds", "From the order to the result, by language");
  // Not of both at once: languages times problems would be too many.
  Family<Histogram>& duration_of_problem =
      histograms("assay_problem_seconds", "From the order to the result, by problem");
  Family<Counter>& tasks =
      counters("assay_tasks_total", "Compilations and runs, by language, problem and verdict");
  Family<Histogram>& task_time =
      histograms("assay_task_cpu_seconds", "Cpu time of compilations and runs");
  Family<Histogram>& task_memory =
      histograms("assay_task_memory_bytes", "Memory of compilations and runs");
  Gauge& queued = gauges("assay_judgings_queued", "Judgings that wait").Add({});
  Gauge& running = gauges("assay_judgings_running", "Judgings under way").Add({});
  Gauge& kept = gauges("assay_judgings_kept", "Results that are remembered").Add({});
  Gauge& refused = gauges("assay_judgings_refused", "Submissions not taken, so far").Add({});
  Gauge& cancelled = gauges("assay_judgings_cancelled", "Judgings cancelled, so far").Add({});

  void task(const char* kind, const std::string& language, const std::string& problem,
            const std::string& verdict, Nanoseconds time, Bytes memory) {
    static const Histogram::BucketBoundaries kMemory = {1 << 20,   4 << 20,   16 << 20, 64 << 20,
                                                        256 << 20, 512 << 20, 1 << 30};
    tasks.Add({{"task", kind}, {"language", language}, {"problem", problem}, {"verdict", verdict}})
        .Increment();
    const Labels labels = {{"task", kind}, {"language", language}};
    task_time.Add(labels, kSeconds).Observe(seconds(time));
    task_memory.Add(labels, kMemory).Observe(static_cast<double>(memory.count));
  }
};

JudgingMetrics::JudgingMetrics() : inside_(std::make_unique<Inside>()) {}
JudgingMetrics::~JudgingMetrics() = default;

std::string JudgingMetrics::label_of(const std::string& problem_id) {
  if (problem_id.empty()) return "-";
  const std::lock_guard guard(lock_);
  if (problems_.contains(problem_id)) return problem_id;
  if (problems_.size() >= kMostProblems) return "other";
  problems_.insert(problem_id);
  return problem_id;
}

void JudgingMetrics::judging_ended(const service::Judging& judging,
                                   const judge::JudgeResult& result) {
  const std::string problem = label_of(judging.order().problem_id);
  inside_->judgings
      .Add({{"language", result.language}, {"problem", problem}, {"verdict", result.letters}})
      .Increment();
  const double taken = seconds(result.finished_at - result.received_at);
  inside_->duration.Add({{"language", result.language}}, kSeconds).Observe(taken);
  inside_->duration_of_problem.Add({{"problem", problem}}, kSeconds).Observe(taken);
  if (result.compile)
    inside_->task("compile", result.language, problem, result.compile->ok ? "AC" : "CE",
                  result.compile->time, result.compile->memory);
  for (const judge::TestResult& test : result.tests)
    if (test.facts)
      inside_->task("run", result.language, problem, test.letters, test.facts->cpu_total,
                    test.memory);
}

std::string JudgingMetrics::text(const service::JudgingSnapshot& now) {
  inside_->queued.Set(static_cast<double>(now.queued));
  inside_->running.Set(static_cast<double>(now.running));
  inside_->kept.Set(static_cast<double>(now.kept));
  inside_->refused.Set(static_cast<double>(now.refused));
  inside_->cancelled.Set(static_cast<double>(now.cancelled));
  return prometheus::TextSerializer().Serialize(inside_->registry.Collect());
}

}  // namespace assay::transport
