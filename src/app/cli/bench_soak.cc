// Many runs of many kinds: whatever one of them leaves behind shows as growth.
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "app/cli/bench_traces.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// All of them, from first to last: when each is being cleaned, the one caller waits.
constexpr unsigned kBoxes = 4;
constexpr std::size_t kSlowEvery = 500;
constexpr std::size_t kSamples = 10;  // of memory, in the second and in the last quarter
constexpr double kPermittedGrowthKib =
    64.0;  // of memory: the allocator's and the kernel's own granularity

struct Kind {
  sandbox::Spec spec{};
  sandbox::End end{};
  sandbox::CutOff cut = sandbox::CutOff::None;
};

class Mix {
 public:
  static Result<Mix> make(Engine& engine) {
    Mix mix(TRY(GuestFile::make(Guest::Crash)), TRY(GuestFile::make(Guest::Spin)));
    const std::string file = TRY(find_shared_file(engine));
    mix.add({.argv = {"/bin/cat", file}}, sandbox::Exited{0});
    mix.add({.argv = {"/bin/sh", "-c", "true | true"}}, sandbox::Exited{0});
    mix.add({.argv = {"/bin/sh", "-c", "echo a > /w/a; mkdir -p /tmp/b/c; echo d > /tmp/b/c/d"}},
            sandbox::Exited{0});
    mix.add(mix.crash_.boxed(), sandbox::Signaled{SIGSEGV, false});
    mix.slow_ = {mix.spin_.boxed(), sandbox::Signaled{SIGKILL, false}, sandbox::CutOff::Cpu};
    mix.slow_.spec.limits.cpu_time = 20ms;
    return mix;
  }

  Status run(Engine& engine, std::size_t index) {
    std::string output;
    const Kind& kind = index % kSlowEvery == kSlowEvery - 1 ? slow_ : kinds_[index % kinds_.size()];
    const sandbox::Facts facts = TRY(engine.run(collecting(kind.spec, &output)));
    if (facts.end != kind.end || facts.cut_off_by != kind.cut)
      return invalid("run " + std::to_string(index) + ", '" + kind.spec.argv.back() + "', " +
                     describe_end(facts));
    return {};
  }

 private:
  Mix(GuestFile crash, GuestFile spin) : crash_(std::move(crash)), spin_(std::move(spin)) {}
  void add(sandbox::Spec spec, sandbox::End end) {
    kinds_.push_back({std::move(spec), std::move(end)});
  }

  GuestFile crash_;
  GuestFile spin_;
  std::vector<Kind> kinds_;
  Kind slow_;
};

struct Memories {
  std::vector<std::int64_t> ours{};
  std::vector<std::int64_t> wardens{};
};

struct Growth {
  Traces begin{};
  Traces end{};
  Memories second_quarter{};
  Memories last_quarter{};
  Nanoseconds taken{};
};

class Soak {
 public:
  Soak(Engine& engine, Mix& mix, std::size_t runs) : engine_(engine), mix_(mix), runs_(runs) {}

  Result<Growth> run() {
    Growth growth;
    const std::size_t warm_up = std::min<std::size_t>(1000, runs_ / 4);
    const std::size_t between = std::max<std::size_t>(1, runs_ / 4 / kSamples);
    Progress progress("soak", runs_);
    const auto begun = Clock::now();
    for (std::size_t i = 0; i < runs_; ++i, progress.step()) {
      if (i == warm_up) growth.begin = TRY(rest_and_count());
      TRY_STATUS(mix_.run(engine_, i));
      if ((i + 1) % between == 0) TRY_STATUS(sample(growth, i * 4 / runs_));
    }
    growth.taken = Clock::now() - begun;
    growth.end = TRY(rest_and_count());
    return growth;
  }

 private:
  // Counts are equal only in equal states: as many boxes each time, also when one was just retired,
  // and the same kind of run behind each, because a launcher keeps some meters of the last one
  // open.
  Result<Traces> rest_and_count() {
    sandbox::Sandbox& sandbox = engine_.sandbox();
    TRY_STATUS(engine_.settle());
    TRY_STATUS(sandbox.prepare("default", kBoxes));
    for (std::size_t i = 0; i < 2 * std::size_t{kBoxes}; ++i) {
      TRY_STATUS(engine_.settle());
      TRY_STATUS(mix_.run(engine_, 0));
    }
    TRY_STATUS(engine_.settle());
    TRY_STATUS(sandbox.prepare("default", kBoxes));
    return settled_traces(sandbox.warden_pid(), sandbox.instance());
  }

  Status sample(Growth& growth, std::size_t quarter) {
    if (quarter != 1 && quarter != 3) return {};
    Memories& memories = quarter == 1 ? growth.second_quarter : growth.last_quarter;
    memories.ours.push_back(TRY(resident_of(::getpid())).rss_kib);
    memories.wardens.push_back(TRY(resident_of(engine_.sandbox().warden_pid())).rss_kib);
    return {};
  }

  Engine& engine_;
  Mix& mix_;
  std::size_t runs_;
};

void add_memory(Report& report, const std::string& name, const std::vector<std::int64_t>& before,
                const std::vector<std::int64_t>& after) {
  const auto first = static_cast<double>(median(before));
  const auto last = static_cast<double>(median(after));
  report.promises.push_back({name + "_rss_growth", last - first, kPermittedGrowthKib, "KiB"});
  report.detail.push_back({name + "_rss",
                           {{"second_quarter_kib", first},
                            {"last_quarter_kib", last},
                            {"samples", static_cast<double>(before.size())}}});
}

}  // namespace

Result<Report> bench_soak(const BenchOptions& options) {
  if (options.minutes > 0) return bench_siege(options);
  const std::size_t runs = options.runs != 0 ? options.runs : 20'000;
  if (runs < 400) return invalid("--runs: growth shows only over 400 runs or more");
  Engine engine = TRY(Engine::start(kBoxes, kBoxes - 1));
  Mix mix = TRY(Mix::make(engine));
  const Growth growth = TRY(Soak(engine, mix, runs).run());
  Report report{.bench = "soak",
                .about = std::to_string(runs) +
                         " runs of five kinds; growth from after the warm-up to the end"};
  add_memory(report, "our", growth.second_quarter.ours, growth.last_quarter.ours);
  add_memory(report, "warden", growth.second_quarter.wardens, growth.last_quarter.wardens);
  Section counts{"counts", {}};
  for (const auto& [name, count] : kTraceFields) {
    const auto before = static_cast<double>(growth.begin.*count);
    const auto after = static_cast<double>(growth.end.*count);
    report.promises.push_back({std::string(name) + "_growth", after - before, 0, "count"});
    counts.figures.push_back({std::string(name) + "_after_warm_up", before});
    counts.figures.push_back({std::string(name) + "_at_the_end", after});
  }
  report.detail.push_back(std::move(counts));
  report.detail.push_back(
      {"runs",
       {{"seconds", milliseconds(growth.taken) / 1e3},
        {"runs_per_s", static_cast<double>(runs) / (milliseconds(growth.taken) / 1e3)}}});
  return report;
}

}  // namespace assay::cli
