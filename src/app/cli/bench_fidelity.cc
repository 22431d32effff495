// Whether the reported processor time is the program's own, and whether it is the same every time.
#include <atomic>
#include <thread>

#include "app/cli/bench_bare.h"
#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Times = std::vector<Nanoseconds>;

constexpr Nanoseconds kBurn = 100ms;
constexpr double kPermittedMs = 1.0;  // 1 ms, which is also 1 % of the burn

Result<Nanoseconds> own_clock(const std::string& output) {
  std::string_view text(output);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return Nanoseconds(static_cast<std::int64_t>(TRY(parse_count(text, 1, 1'000'000'000'000))));
}

struct Differences {
  Times boxed{};  // absolute
  Times bare{};
  Times boxed_signed{};
};

Result<Differences> measure_differences(Engine& engine, const GuestFile& burn, unsigned threads,
                                        std::size_t runs) {
  const std::vector<std::string> arguments{std::to_string(threads), std::to_string(kBurn.count())};
  std::string output;
  const sandbox::Spec spec = collecting(burn.boxed(arguments), &output);
  Bare bare(burn.bare(arguments));
  Differences found;
  Progress progress("fidelity: " + std::to_string(threads) + " threads", runs);
  for (std::size_t i = 0; i < runs; ++i, progress.step()) {
    const sandbox::Facts facts = TRY(engine.run(spec));
    if (!exited_well(facts)) return invalid("the burning guest " + describe_end(facts));
    found.boxed_signed.push_back(facts.cpu_total - TRY(own_clock(output)));
    found.boxed.push_back(std::chrono::abs(found.boxed_signed.back()));
    const BareRun run = TRY(bare.run());
    found.bare.push_back(std::chrono::abs(run.cpu - TRY(own_clock(run.output))));
  }
  return found;
}

void add_differences(Report& report, unsigned threads, const Differences& found) {
  const std::string name =
      "cpu_error_" + std::to_string(threads) + (threads == 1 ? "_thread" : "_threads");
  const double middle = milliseconds(median(found.boxed));
  const double high = milliseconds(percentile(found.boxed, 0.99));
  report.promises.push_back({name + "_median", middle, kPermittedMs, "ms"});
  report.promises.push_back({name + "_p99", high, kPermittedMs, "ms"});
  report.detail.push_back({name,
                           {{"boxed_median_ms", middle},
                            {"boxed_p99_ms", high},
                            {"boxed_max_ms", milliseconds(percentile(found.boxed, 1))},
                            {"boxed_max_percent", 100 * ratio(percentile(found.boxed, 1), kBurn)},
                            {"boxed_signed_median_ms", milliseconds(median(found.boxed_signed))},
                            {"bare_rusage_median_ms", milliseconds(median(found.bare))},
                            {"bare_rusage_p99_ms", milliseconds(percentile(found.bare, 0.99))},
                            {"bare_rusage_max_ms", milliseconds(percentile(found.bare, 1))}}});
}

// Keeps one core busy for as long as it lives.
class BusyCore {
 public:
  explicit BusyCore(unsigned core)
      : thread_([core](const std::stop_token& stop) {
          os::stay_on(std::array{core});
          while (!stop.stop_requested()) {
          }
        }) {}

 private:
  std::jthread thread_;
};

// How many rounds of work take 100 ms in a box, now.
Result<std::string> calibrate(Engine& engine, const GuestFile& work,
                              const std::vector<unsigned>& cores) {
  constexpr std::uint64_t kRounds =
      80'000'000;  // about as long: a short run may meet a faster clock
  std::string output;
  sandbox::Spec spec = collecting(work.boxed({std::to_string(kRounds)}), &output);
  spec.cores = cores;
  Times times;
  for (int i = 0; i < 5; ++i) {
    const sandbox::Facts facts = TRY(engine.run(spec));
    if (!exited_well(facts)) return invalid("the working guest " + describe_end(facts));
    times.push_back(TRY(own_clock(output)));
  }
  return std::to_string(
      static_cast<std::uint64_t>(static_cast<double>(kRounds) * ratio(kBurn, median(times))));
}

struct Spread {
  Times boxed{};
  Times bare{};
  std::size_t flips = 0;
};

double percent(const Times& times) {
  return 100 * ratio(percentile(times, 0.99) - percentile(times, 0.01), median(times));
}

// The same work again and again on one core, limit twice its time, the other core busy. On one core
// there is no other.
Result<Spread> measure_spread(Engine& engine, std::size_t runs) {
  const std::vector<unsigned> cores = usable_cores();
  const GuestFile work = TRY(GuestFile::make(Guest::Work));
  std::optional<BusyCore> busy;
  if (cores.size() > 1) busy.emplace(cores[1]);
  const std::string rounds = TRY(calibrate(engine, work, {cores[0]}));
  std::string output;
  sandbox::Spec spec = collecting(work.boxed({rounds}), &output);
  spec.cores = {cores[0]};
  spec.limits.cpu_time = 2 * kBurn;
  Bare bare(work.bare({rounds}));
  Spread spread;
  Progress progress("fidelity: spread", runs);
  for (std::size_t i = 0; i < runs; ++i, progress.step()) {
    const sandbox::Facts facts = TRY(engine.run(spec));
    spread.flips += exited_well(facts) ? 0 : 1;
    spread.boxed.push_back(facts.cpu_total);
    os::stay_on(std::span(cores).first(1));
    const auto run = bare.run();
    os::stay_on(cores);
    if (!run) return std::unexpected(run.error());
    spread.bare.push_back(run->cpu);
  }
  return spread;
}

// What the machine does to bare programs it does to boxed ones (decision 19).
void add_spread(Report& report, const Spread& spread) {
  constexpr double kPermittedPercent = 5;
  constexpr double kPermittedOverBare = 1.25;
  const double bare = percent(spread.bare);
  if (bare > kPermittedPercent)
    report.caution = "bare runs spread by " + std::to_string(bare).substr(0, 4) +
                     " %: this machine changes its speed meanwhile";
  report.promises.push_back({"spread_other_core_busy", percent(spread.boxed),
                             std::max(kPermittedPercent, kPermittedOverBare * bare), "%"});
  report.promises.push_back(
      {"verdict_flips_at_twice", static_cast<double>(spread.flips), 0, "count"});
  report.detail.push_back({"spread",
                           {{"runs", static_cast<double>(spread.boxed.size())},
                            {"boxed_median_ms", milliseconds(median(spread.boxed))},
                            {"boxed_p1_ms", milliseconds(percentile(spread.boxed, 0.01))},
                            {"boxed_p99_ms", milliseconds(percentile(spread.boxed, 0.99))},
                            {"boxed_percent", percent(spread.boxed)},
                            {"bare_rusage_median_ms", milliseconds(median(spread.bare))},
                            {"bare_rusage_percent", percent(spread.bare)}}});
}

}  // namespace

Result<Report> bench_fidelity(const BenchOptions& options) {
  const std::size_t runs = options.runs != 0 ? options.runs : 50;
  Engine engine = TRY(Engine::start(2));
  const GuestFile burn = TRY(GuestFile::make(Guest::Burn));
  Report report{.bench = "fidelity",
                .about = "reported CPU time of 100 ms burns against the program's own clock, " +
                         std::to_string(runs) + " runs each; bare rusage beside it"};
  for (const unsigned threads : {1U, 2U})
    add_differences(report, threads, TRY(measure_differences(engine, burn, threads, runs)));
  add_spread(report, TRY(measure_spread(engine, 4 * runs)));
  return report;
}

}  // namespace assay::cli
