// Whether a program's CPU time is its own affair: the same work alone and beside a fork bomb in
// another box, in turns.
#include <unistd.h>

#include <cmath>
#include <thread>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Times = std::vector<Nanoseconds>;

constexpr std::size_t kPairs = 30;
constexpr std::uint64_t kRounds = 80'000'000;  // about a tenth of a second

// A bomb in a box of its own, from the first fork to its end by our hand.
class Bomb {
 public:
  Bomb(Engine& engine, const GuestFile& guest) : image_(guest.image()), spec_(guest.boxed()) {
    (void)::lseek(image_, 0, SEEK_SET);
    spec_.limits = {.cpu_time = 60s, .wall_time = 60s, .memory = 256_MiB, .processes = 64};
    thread_ = std::thread([this, &engine] { ended_ = engine.sandbox().run(spec_, &control_); });
  }
  Bomb(const Bomb&) = delete;
  Bomb& operator=(const Bomb&) = delete;
  ~Bomb() { end(); }

  // Returns when it is at work: it has used cpu time.
  Status await_work() {
    const auto until = std::chrono::steady_clock::now() + 10s;
    while (std::chrono::steady_clock::now() < until) {
      const auto usage = control_.usage();
      if (!usage.empty() && usage.front().cpu > 5ms) return {};
      std::this_thread::yield();
    }
    return invalid("the fork bomb did not begin to work");
  }

  const Result<sandbox::Facts>& end() {
    control_.cancel();
    if (thread_.joinable()) thread_.join();
    return ended_;
  }

 private:
  int image_;
  sandbox::Spec spec_;
  sandbox::Control control_;
  Result<sandbox::Facts> ended_;
  std::thread thread_;
};

struct Neighbours {
  Times alone{};
  Times beside{};
  std::uint64_t refused = 0;  // forks of the bombs that met their limit
};

Result<Nanoseconds> work_once(Engine& engine, const sandbox::Spec& spec) {
  const sandbox::Facts facts = TRY(engine.run(spec));
  if (!exited_well(facts)) return invalid("the working guest " + describe_end(facts));
  return facts.cpu_total;
}

Result<Neighbours> measure(Engine& engine, std::size_t pairs) {
  const GuestFile work = TRY(GuestFile::make(Guest::Work));
  const GuestFile bomb_guest = TRY(GuestFile::make(Guest::Bomb));
  std::string output;
  const sandbox::Spec spec = collecting(work.boxed({std::to_string(kRounds)}), &output);
  Neighbours found;
  Progress progress("neighbour", 2 * pairs);
  for (std::size_t turn = 0; turn < 2 * pairs; ++turn, progress.step()) {
    if (side_at(turn) == Side::Bare) {
      found.alone.push_back(TRY(work_once(engine, spec)));
      continue;
    }
    Bomb bomb(engine, bomb_guest);
    TRY_STATUS(bomb.await_work());
    found.beside.push_back(TRY(work_once(engine, spec)));
    const auto& ended = bomb.end();
    if (!ended) return std::unexpected(ended.error());
    if (ended->cut_off_by != sandbox::CutOff::Cancelled)
      return invalid("the fork bomb " + describe_end(*ended));
    found.refused += ended->processes_refused;
  }
  return found;
}

}  // namespace

Result<Report> bench_neighbour(const BenchOptions& options) {
  const std::size_t pairs = options.runs != 0 ? options.runs : kPairs;
  Engine engine = TRY(Engine::start(3));
  const Neighbours found = TRY(measure(engine, pairs));
  std::vector<double> shifts;
  for (std::size_t i = 0; i < pairs; ++i)
    shifts.push_back(100 * (ratio(found.beside[i], found.alone[i]) - 1));
  const double shift = median(shifts);
  return Report{
      .bench = "neighbour",
      .about = std::to_string(pairs) +
               " pairs in turns: CPU time of the same work alone, and beside a fork bomb of 64 "
               "processes in another box",
      .promises = {{"cpu_time_shift_percent", std::abs(shift), 5, "%"}},
      .detail = {{"cpu_time",
                  {{"alone_median_ms", milliseconds(median(found.alone))},
                   {"beside_median_ms", milliseconds(median(found.beside))},
                   {"shift_p10_percent", percentile(shifts, 0.1)},
                   {"shift_median_percent", shift},
                   {"shift_p90_percent", percentile(shifts, 0.9)},
                   {"forks_refused", static_cast<double>(found.refused)}}}}};
}

}  // namespace assay::cli
