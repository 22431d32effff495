// What a box costs: pairs of the same program, bare and in a box, one right after the other, each
// side first as often.
#include "app/cli/bench_bare.h"
#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

constexpr std::size_t kWarmUp = 20;
constexpr std::size_t kColdPairs = 40;

using Times = std::vector<Nanoseconds>;
struct Pairs {
  Times bare{};
  Times boxed{};
  Times& of(Side side) { return side == Side::Bare ? bare : boxed; }
};

struct Contest {
  Engine& engine;
  Bare& bare;
  const sandbox::Spec& spec;

  // The engine has finished cleaning before, so that its work neither hides nor disturbs the other
  // side.
  Result<Nanoseconds> time(Side side) {
    TRY_STATUS(engine.settle());
    if (side == Side::Boxed) return engine.time(spec);
    return TRY(bare.run()).wall;
  }
};

Result<Pairs> alternate(Contest contest, std::size_t count) {
  Pairs pairs;
  Progress progress("overhead: " + contest.spec.argv[0], 2 * (kWarmUp + count));
  for (std::size_t turn = 0; turn < 2 * (kWarmUp + count); ++turn, progress.step()) {
    const Nanoseconds taken = TRY(contest.time(side_at(turn)));
    if (turn >= 2 * kWarmUp) pairs.of(side_at(turn)).push_back(taken);
  }
  return pairs;
}

void add_times(Section& section, const std::string& name, const Times& times) {
  section.figures.push_back({name + "_p10_us", microseconds(percentile(times, 0.1))});
  section.figures.push_back({name + "_median_us", microseconds(median(times))});
  section.figures.push_back({name + "_p90_us", microseconds(percentile(times, 0.9))});
  section.figures.push_back({name + "_p99_us", microseconds(percentile(times, 0.99))});
}

Section section_of(std::string name, const Pairs& pairs) {
  Section section{std::move(name), {}};
  add_times(section, "bare", pairs.bare);
  add_times(section, "boxed", pairs.boxed);
  section.figures.push_back(
      {"ratio_p10", ratio(percentile(pairs.boxed, 0.1), percentile(pairs.bare, 0.1))});
  section.figures.push_back({"ratio_median", ratio(median(pairs.boxed), median(pairs.bare))});
  section.figures.push_back(
      {"ratio_p99", ratio(percentile(pairs.boxed, 0.99), percentile(pairs.bare, 0.99))});
  section.figures.push_back(
      {"extra_median_us", microseconds(median(pairs.boxed) - median(pairs.bare))});
  return section;
}

// One run after the other, cleaning not awaited: what a caller sees who always has the next one
// ready.
Result<Section> back_to_back(Engine& engine, std::string name, const sandbox::Spec& spec,
                             std::size_t count) {
  Times times;
  for (std::size_t i = 0; i < count + kWarmUp; ++i) {
    const Nanoseconds taken = TRY(engine.time(spec));
    if (i >= kWarmUp) times.push_back(taken);
  }
  Section section{std::move(name), {}};
  add_times(section, "boxed", times);
  return section;
}

// On a quiet machine nine of ten bare runs take about the same time.
std::string caution_about(const Times& bare) {
  constexpr double kQuiet = 2.0;
  const double spread = ratio(percentile(bare, 0.9), percentile(bare, 0.1));
  if (spread < kQuiet) return "";
  return "something else keeps this machine busy: the 90th percentile of bare runs is " +
         std::to_string(spread).substr(0, 4) + " times the 10th, so medians say little";
}

struct Setting {
  Pairs cat{};
  Pairs tiny{};
};

// Everything once, in an engine that is started for it and so lives on the cores that this thread
// has now.
Result<Setting> measure(const std::string& name, std::size_t count, Report& report) {
  Setting setting;
  Engine engine = TRY(Engine::start(2));
  const std::string file = TRY(find_shared_file(engine));
  const GuestFile tiny = TRY(GuestFile::make(Guest::Tiny));
  std::string output;
  const sandbox::Spec cat_spec = collecting({.argv = {"/bin/cat", file}}, &output);
  // Like for like: bare and box execute a file that is there already. Putting the program in first
  // is measured apart.
  const sandbox::Spec tiny_spec = collecting(tiny.boxed_by_descriptor(), &output);
  const sandbox::Spec put_in_spec = collecting(tiny.boxed(), &output);
  Bare cat_bare({"/bin/cat", file});
  Bare tiny_bare(tiny.bare());
  setting.cat = TRY(alternate({engine, cat_bare, cat_spec}, count));
  setting.tiny = TRY(alternate({engine, tiny_bare, tiny_spec}, count));
  const Pairs put_in = TRY(alternate({engine, tiny_bare, put_in_spec}, count));
  report.detail.push_back(section_of(name + "_cat", setting.cat));
  report.detail.push_back(TRY(back_to_back(engine, name + "_cat_back_to_back", cat_spec, count)));
  report.detail.push_back(section_of(name + "_tiny", setting.tiny));
  report.detail.push_back(section_of(name + "_tiny_put_in", put_in));
  report.detail.back().figures.push_back(
      {"of_that_put_in_us", microseconds(median(put_in.boxed) - median(setting.tiny.boxed))});
  return setting;
}

Result<Pairs> measure_cold() {
  Bare bare({"/bin/true"});
  Bare cold({"/proc/self/exe", "exec", "--quiet", "--", "/bin/true"});
  Pairs pairs;
  Progress progress("overhead: cold", 2 * kColdPairs);
  for (std::size_t turn = 0; turn < 2 * kColdPairs; ++turn, progress.step()) {
    Bare& program = side_at(turn) == Side::Bare ? bare : cold;
    pairs.of(side_at(turn)).push_back(TRY(program.run()).wall);
  }
  return pairs;
}

}  // namespace

Result<Report> bench_overhead(const BenchOptions& options) {
  const std::size_t count = options.runs != 0 ? options.runs : 2000;
  Report report{.bench = "overhead",
                .about = std::to_string(count) +
                         " interleaved pairs: posix_spawn, read, wait against a run in a full box"};
  const Setting unpinned = TRY(measure("unpinned", count, report));
  const std::vector<unsigned> cores = usable_cores();
  os::stay_on(std::span(cores).first(1));
  const auto pinned = measure("pinned", count, report);
  os::stay_on(cores);
  if (!pinned) return std::unexpected(pinned.error());
  const Pairs cold = TRY(measure_cold());
  report.detail.push_back(section_of("cold_exec", cold));
  const auto& [cat, tiny] = unpinned;
  report.caution = caution_about(cat.bare);
  report.promises = {
      {"cat_ratio_median", ratio(median(cat.boxed), median(cat.bare)), 1.25, "x"},
      {"cat_ratio_p99", ratio(percentile(cat.boxed, 0.99), percentile(cat.bare, 0.99)), 3, "x"},
      {"tiny_extra_us", microseconds(median(tiny.boxed) - median(tiny.bare)), 150, "us"},
      {"cold_exec_extra_ms", milliseconds(median(cold.boxed) - median(cold.bare)), 5, "ms"},
  };
  return report;
}

}  // namespace assay::cli
