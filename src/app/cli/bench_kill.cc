// How far past a limit a program gets, and whether the verdict names the limit and nothing else.
#include <signal.h>

#include <algorithm>

#include "app/cli/bench_bare.h"
#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "verdict/judge.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Times = std::vector<Nanoseconds>;
using verdict::Verdict;

struct CpuCase {
  std::chrono::milliseconds limit;
  std::size_t divisor;  // the long ones are run less often
};
constexpr CpuCase kCpuCases[] = {{50ms, 1}, {350ms, 1}, {999ms, 2}, {1999ms, 3}};
constexpr std::chrono::milliseconds kWallLimit = 300ms;

struct Overshoots {
  Times boxed{};
  Times bare{};  // killed by a plain timer of the same length
};

class Kills {
 public:
  Kills(Engine& engine, const verdict::Policy& policy) : engine_(engine), policy_(policy) {}

  // Time limit, by this cause and not a nanosecond early: a program within its limit must not be
  // cut off.
  Result<Overshoots> spinner(const GuestFile& spin, std::chrono::milliseconds limit,
                             std::size_t runs) {
    sandbox::Spec spec = spin.boxed();
    spec.limits = {.cpu_time = limit, .wall_time = 30s};
    Bare bare(spin.bare());
    Overshoots found;
    Progress progress("kill: cpu " + std::to_string(limit.count()) + " ms", runs);
    for (std::size_t i = 0; i < runs; ++i, progress.step()) {
      const sandbox::Facts facts = TRY(engine_.run(spec));
      found.boxed.push_back(facts.cpu_total - limit);
      expect(facts, Verdict::TimeLimit, sandbox::CutOff::Cpu);
      if (facts.cpu_total <= limit) ++early_;
      found.bare.push_back(TRY(bare.run_until(limit)).cpu - limit);
    }
    return found;
  }

  Result<Overshoots> sleeper(std::size_t runs) {
    const sandbox::Spec spec{.argv = {"/bin/sleep", "30"},
                             .limits = {.cpu_time = 10s, .wall_time = kWallLimit}};
    Bare bare({"/bin/sleep", "30"});
    Overshoots found;
    Progress progress("kill: wall", runs);
    for (std::size_t i = 0; i < runs; ++i, progress.step()) {
      const sandbox::Facts facts = TRY(engine_.run(spec));
      found.boxed.push_back(facts.wall - kWallLimit);
      expect(facts, Verdict::TimeLimit, sandbox::CutOff::Wall);
      if (facts.wall < kWallLimit) ++early_;
      found.bare.push_back(TRY(bare.run_until(kWallLimit)).wall - kWallLimit);
    }
    return found;
  }

  // Ends that look like a kill but are the program's own.
  Status own_ends(const GuestFile& crash, std::size_t runs) {
    const std::pair<sandbox::Spec, int> cases[] = {
        {{.argv = {"/bin/sh", "-c", "kill -9 $$"}}, SIGKILL},
        {crash.boxed(), SIGSEGV},
    };
    for (const auto& [spec, signal] : cases)
      for (std::size_t i = 0; i < runs; ++i) {
        const sandbox::Facts facts = TRY(engine_.run(spec));
        expect(facts, Verdict::RuntimeError, sandbox::CutOff::None);
        const auto* end = std::get_if<sandbox::Signaled>(&facts.end);
        if (end == nullptr || end->signal != signal) ++wrong_;
      }
    return {};
  }

  [[nodiscard]] std::size_t wrong() const { return wrong_; }
  [[nodiscard]] std::size_t early() const { return early_; }
  [[nodiscard]] std::size_t judged() const { return judged_; }

 private:
  void expect(const sandbox::Facts& facts, Verdict verdict, sandbox::CutOff cut) {
    ++judged_;
    if (verdict::judge(facts, policy_).verdict != verdict || facts.cut_off_by != cut) ++wrong_;
  }

  Engine& engine_;
  const verdict::Policy& policy_;
  std::size_t wrong_ = 0;
  std::size_t early_ = 0;
  std::size_t judged_ = 0;
};

Section section_of(std::string name, const Overshoots& found) {
  return {std::move(name),
          {{"runs", static_cast<double>(found.boxed.size())},
           {"boxed_min_ms", milliseconds(percentile(found.boxed, 0))},
           {"boxed_median_ms", milliseconds(median(found.boxed))},
           {"boxed_max_ms", milliseconds(percentile(found.boxed, 1))},
           {"bare_timer_median_ms", milliseconds(median(found.bare))},
           {"bare_timer_max_ms", milliseconds(percentile(found.bare, 1))}}};
}

}  // namespace

Result<Report> bench_kill(const BenchOptions& options) {
  const std::size_t runs = options.runs != 0 ? options.runs : 15;
  const verdict::Policy policy = TRY(verdict::load_policy(policy_directory(), "assay"));
  Engine engine = TRY(Engine::start(2));
  const GuestFile spin = TRY(GuestFile::make(Guest::Spin));
  const GuestFile crash = TRY(GuestFile::make(Guest::Crash));
  Kills kills(engine, policy);
  Report report{.bench = "kill",
                .about =
                    "how far past its limit a program gets, against a bare one killed by a timer "
                    "of that length"};
  Times all;
  for (const CpuCase& test : kCpuCases) {
    const Overshoots found =
        TRY(kills.spinner(spin, test.limit, std::max<std::size_t>(1, runs / test.divisor)));
    all.insert(all.end(), found.boxed.begin(), found.boxed.end());
    report.detail.push_back(section_of("cpu_" + std::to_string(test.limit.count()) + "_ms", found));
  }
  const Overshoots wall = TRY(kills.sleeper(runs));
  report.detail.push_back(section_of("wall_300_ms", wall));
  TRY_STATUS(kills.own_ends(crash, runs));
  report.detail.push_back({"verdicts", {{"judged", static_cast<double>(kills.judged())}}});
  report.promises = {{"wrong_verdicts", static_cast<double>(kills.wrong()), 0, "count"},
                     {"cut_off_early", static_cast<double>(kills.early()), 0, "count"},
                     {"cpu_overshoot_median", milliseconds(median(all)), 4, "ms"},
                     {"cpu_overshoot_p99", milliseconds(percentile(all, 0.99)), 8, "ms"},
                     {"wall_overshoot_median", milliseconds(median(wall.boxed)), 10, "ms"}};
  return report;
}

}  // namespace assay::cli
