#include "app/cli/judge_profile.h"

#include <fmt/format.h>

namespace assay::cli {
namespace {

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

std::string line(std::string_view what, Nanoseconds time, std::string_view more) {
  return fmt::format("  {:<12}{:>9.1f} ms  {}\n", what, milliseconds(time), more);
}

}  // namespace

judge::JudgeEvents JudgeProfile::around(judge::JudgeEvents events) {
  judge::JudgeEvents noted = events;
  noted.compiled = [this, then = events.compiled](const judge::CompileResult& compile) {
    compiled_ = Clock::now();
    if (then) then(compile);
  };
  noted.finished = [this, then = events.finished](const judge::JudgeResult& result) {
    finished_ = Clock::now();
    if (then) then(result);
  };
  return noted;
}

std::string JudgeProfile::text(const judge::JudgeResult& result, unsigned workers) const {
  const Clock::time_point end = finished_.value_or(Clock::now());
  const Clock::time_point compiled = compiled_.value_or(begun_);
  Nanoseconds programs{}, cpu{};
  std::size_t runs = 0;
  for (const judge::TestResult& test : result.tests) {
    if (!test.facts) continue;
    ++runs;
    programs += test.facts->wall;
    cpu += test.facts->cpu_total;
  }
  std::string text = "where the time went\n";
  if (result.compile) {
    const bool cached = result.compile->cached;
    text += line("compiling", compiled - begun_,
                 cached ? "from the cache"
                        : fmt::format("{:.1f} ms of CPU", milliseconds(result.compile->time)));
  }
  text += line("testing", end - compiled, fmt::format("{} runs, {} at a time", runs, workers));
  text +=
      line("  programs", programs, fmt::format("together, {:.1f} ms of CPU", milliseconds(cpu)));
  return text + line("all of it", end - begun_, "");
}

}  // namespace assay::cli
