// Whether a program's CPU time is its own affair: the same work alone and beside a hostile program
// in another box, in turns, for every kind of neighbour that uses up what both share.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_hostile.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Times = std::vector<Nanoseconds>;

constexpr std::size_t kPairs = 30;
constexpr std::uint64_t kRounds = 80'000'000;  // about a tenth of a second
constexpr std::uint64_t kRoaming = 4'000'000;  // as long, in memory
constexpr double kPermittedShift = 5;          // per cent
constexpr const char* kNeighbours[] = {"forks", "memory", "disk", "pipe-flood", "threads"};

// A neighbour in a box of its own, at work again and again until its end by our hand.
class Neighbour {
 public:
  Neighbour(Engine& engine, const GuestFile& guest, const Hostile& kind)
      : image_(guest.image()), spec_(guest.boxed({kind.name})) {
    spec_.limits = kind.limits;
    spec_.limits.cpu_time = spec_.limits.wall_time = 60s;
    spec_.output = sandbox::Collect{.text = &output_, .limit = 4_MiB};
    thread_ = std::thread([this, &engine] { work(engine); });
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;
  ~Neighbour() { (void)end(); }

  // Returns when it is at work: it has used cpu time, or has come to its limit already.
  Status await_work() {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < until) {
      const auto usage = control_.usage();
      if (ended_ > 0 || (!usage.empty() && usage.front().cpu > 5ms)) return {};
      std::this_thread::yield();
    }
    return invalid("the neighbour did not begin to work");
  }

  Status end() {
    stopping_ = true;
    control_.cancel();
    if (thread_.joinable()) thread_.join();
    return trouble_;
  }
  [[nodiscard]] std::size_t runs() const { return ended_; }

 private:
  // What meets its limit is started again, until the work beside it is done.
  void work(Engine& engine) {
    while (!stopping_ && trouble_) {
      (void)::lseek(image_, 0, SEEK_SET);
      output_.clear();
      const auto facts = engine.sandbox().run(spec_, &control_);
      if (!facts) trouble_ = std::unexpected(facts.error());
      ++ended_;
    }
  }

  int image_;
  sandbox::Spec spec_;
  std::string output_;
  sandbox::Control control_;
  Status trouble_{};
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> ended_ = 0;
  std::thread thread_;
};

// An honest program, and its times alone and beside.
struct Worker {
  std::string name{};
  GuestFile guest;
  std::vector<std::string> arguments{};
  Times alone{}, beside{};
};

Result<Nanoseconds> work_once(Engine& engine, const Worker& worker) {
  std::string output;
  sandbox::Spec spec = collecting(worker.guest.boxed(worker.arguments), &output);
  const sandbox::Facts facts = TRY(engine.run(spec));
  if (!exited_well(facts)) return invalid("the working guest " + describe_end(facts));
  return facts.cpu_total;
}

Status take_turns(Engine& engine, const GuestFile& hostile, const Hostile& kind,
                  std::vector<Worker>& workers, std::size_t pairs) {
  Progress progress(std::string("neighbour: ") + kind.what, 2 * pairs);
  for (std::size_t turn = 0; turn < 2 * pairs; ++turn, progress.step()) {
    if (side_at(turn) == Side::Bare) {
      for (Worker& worker : workers)
        worker.alone.push_back(TRY(work_once(engine, worker)));
      continue;
    }
    Neighbour neighbour(engine, hostile, kind);
    TRY_STATUS(neighbour.await_work());
    for (Worker& worker : workers)
      worker.beside.push_back(TRY(work_once(engine, worker)));
    TRY_STATUS(neighbour.end());
  }
  return {};
}

std::vector<double> shifts_of(const Worker& worker) {
  std::vector<double> shifts;
  for (std::size_t i = 0; i < worker.alone.size(); ++i)
    shifts.push_back(100 * (ratio(worker.beside[i], worker.alone[i]) - 1));
  return shifts;
}

// As a name in a report.
std::string plain(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

Section section_of(const Hostile& kind, const std::vector<Worker>& workers) {
  Section section{"beside_" + plain(kind.name), {}};
  for (const Worker& worker : workers) {
    const auto shifts = shifts_of(worker);
    const auto add = [&](const char* what, double value) {
      section.figures.push_back({worker.name + what, value});
    };
    add("_alone_median_ms", milliseconds(median(worker.alone)));
    add("_beside_median_ms", milliseconds(median(worker.beside)));
    add("_shift_p10_percent", percentile(shifts, 0.1));
    add("_shift_median_percent", median(shifts));
    add("_shift_p90_percent", percentile(shifts, 0.9));
  }
  return section;
}

}  // namespace

// What a program does with memory depends on the caches that all cores share: it is measured, and
// nothing is promised.
Result<Report> bench_neighbour(const BenchOptions& options) {
  const std::size_t pairs = options.runs != 0 ? options.runs : kPairs;
  Engine engine = TRY(Engine::start(3));
  const GuestFile hostile = TRY(GuestFile::make(Guest::Hostile));
  Report report{.bench = "neighbour",
                .about = std::to_string(pairs) +
                         " pairs in turns for each kind of neighbour: CPU time of the same work "
                         "alone, and beside it in another box; 'roam' is bound by memory"};
  for (const char* name : kNeighbours) {
    const Hostile& kind = *hostile_kind(name);
    std::vector<Worker> workers;
    workers.push_back({"work", TRY(GuestFile::make(Guest::Work)), {std::to_string(kRounds)}});
    workers.push_back(
        {"roam", TRY(GuestFile::make(Guest::Roam)), {"64", std::to_string(kRoaming)}});
    TRY_STATUS(take_turns(engine, hostile, kind, workers, pairs));
    report.promises.push_back({"shift_beside_" + plain(name),
                               std::abs(median(shifts_of(workers.front()))), kPermittedShift, "%"});
    report.detail.push_back(section_of(kind, workers));
  }
  return report;
}

}  // namespace assay::cli
