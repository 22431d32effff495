// `assay bench`: measures the promises of docs/SPECIFICATION.md on this machine.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_list.h"
#include "app/cli/commands.h"
#include "os/file.h"

namespace assay::cli {
namespace {

struct Bench {
  const char* name;
  Result<Report> (*measure)(const BenchOptions&);
};

constexpr Bench kBenches[] = {
    {"overhead", bench_overhead},   {"throughput", bench_throughput},
    {"fidelity", bench_fidelity},   {"kill", bench_kill},
    {"soak", bench_soak},           {"memory", bench_memory},
    {"http", bench_http},           {"relay", bench_relay},
    {"neighbour", bench_neighbour}, {"judge", bench_judge},
};

constexpr std::uint64_t kMostRuns = 10'000'000;
constexpr double kLeastMinutes = 0.05, kMostMinutes = 7 * 24 * 60;

bool colours_wanted() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no thread of ours changes the environment
  return ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

std::string names() {
  std::string list;
  for (const Bench& bench : kBenches)
    list += (list.empty() ? "" : ", ") + std::string(bench.name);
  return list;
}

// What else this machine was doing, without which no figure can be read.
Section machine() {
  double load = 0;
  (void)::getloadavg(&load, 1);
  return {"machine",
          {{"cores", static_cast<double>(usable_cores().size())}, {"load_average_before", load}}};
}

// What is wrong with the options, in one sentence; empty: nothing.
std::string mistake_in(const BenchOptions& options) {
  if (options.runs > kMostRuns)
    return "--runs: more than " + std::to_string(kMostRuns) + " is too many";
  if (!options.peer.empty() && options.name != "http") return "--peer belongs to 'http'";
  if (options.minutes == 0 && !options.hostile) return "";
  if (options.name != "soak") return "--minutes and --hostile belong to 'soak'";
  if (options.runs != 0) return "--runs and --minutes exclude each other";
  if (options.minutes != 0 &&
      !(options.minutes >= kLeastMinutes && options.minutes <= kMostMinutes))
    return "--minutes: from 0.05 to 10080";
  return "";
}

}  // namespace

int bench(BenchOptions options) {
  const auto* found = std::ranges::find(kBenches, options.name,
                                        [](const Bench& b) { return std::string_view(b.name); });
  if (found == std::end(kBenches))
    return failed("there is no bench '" + options.name + "'; there are " + names());
  if (const std::string mistake = mistake_in(options); !mistake.empty()) return failed(mistake);
  if (options.hostile && options.minutes == 0) options.minutes = 10;
  Section before = machine();
  Result<Report> report = found->measure(options);
  if (!report) return failed("bench " + options.name + ": " + describe(report.error()));
  report->detail.push_back(std::move(before));
  const std::string text = options.json ? to_json(*report) : to_text(*report, colours_wanted());
  if (!os::write_all(STDOUT_FILENO, text)) return failed("could not write the report to stdout");
  return all_hold(*report) ? kGood : kNotGood;
}

}  // namespace assay::cli
