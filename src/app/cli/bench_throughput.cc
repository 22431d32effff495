// Runs per second of /bin/cat in boxes against bare, in short slices that take turns.
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/bench_bare.h"
#include "app/cli/bench_engine.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Nanoseconds kSlice = 500ms;

// Counts what several threads get done until a moment, and keeps the first failure.
class Slice {
 public:
  template <typename MakeWorker>
  Result<double> runs_per_second(unsigned threads, MakeWorker make_worker) {
    const auto begun = Clock::now();
    {
      std::vector<std::jthread> workers;
      workers.reserve(threads);
      for (unsigned i = 0; i < threads; ++i)
        workers.emplace_back([&] { work_until(begun + kSlice, make_worker); });
    }
    if (failure_) return std::unexpected(*failure_);
    return static_cast<double>(runs_) / std::chrono::duration<double>(Clock::now() - begun).count();
  }

 private:
  template <typename MakeWorker>
  void work_until(Clock::time_point end, MakeWorker& make_worker) {
    auto worker = make_worker();
    while (Clock::now() < end) {
      if (const Status done = worker.once(); !done) {
        const std::lock_guard guard(lock_);
        failure_ = done.error();
        return;
      }
      ++runs_;
    }
  }

  std::atomic<std::uint64_t> runs_ = 0;
  std::mutex lock_;
  std::optional<Error> failure_;
};

struct BareWorker {
  explicit BareWorker(const std::string& file) : bare({"/bin/cat", file}) {}
  Status once() {
    TRY(bare.run());
    return {};
  }
  Bare bare;
};

struct BoxedWorker {
  BoxedWorker(Engine& given, const std::string& file)
      : engine(given), spec(collecting({.argv = {"/bin/cat", file}}, &output)) {}
  BoxedWorker(BoxedWorker&&) = delete;  // spec points to output
  BoxedWorker& operator=(BoxedWorker&&) = delete;
  BoxedWorker(const BoxedWorker&) = delete;
  BoxedWorker& operator=(const BoxedWorker&) = delete;
  ~BoxedWorker() = default;
  Status once() {
    TRY(engine.time(spec));
    return {};
  }
  Engine& engine;
  std::string output;
  sandbox::Spec spec;
};

struct Rates {
  std::vector<double> bare{};
  std::vector<double> boxed{};
  [[nodiscard]] double ratio() const { return median(boxed) / median(bare); }
};

Result<double> rate(Engine& engine, const std::string& file, unsigned threads, Side side) {
  TRY_STATUS(engine.settle());
  if (side == Side::Boxed)
    return Slice().runs_per_second(threads, [&] { return BoxedWorker(engine, file); });
  return Slice().runs_per_second(threads, [&] { return BareWorker(file); });
}

Result<Rates> measure(Engine& engine, const std::string& file, unsigned threads,
                      std::size_t slices) {
  Rates rates;
  Progress progress("throughput: " + std::to_string(threads) + " threads", 2 * slices);
  for (std::size_t turn = 0; turn < 2 * slices; ++turn, progress.step()) {
    const Side side = side_at(turn);
    (side == Side::Boxed ? rates.boxed : rates.bare)
        .push_back(TRY(rate(engine, file, threads, side)));
  }
  return rates;
}

Section section_of(std::string name, unsigned threads, const Rates& rates) {
  return {std::move(name),
          {{"threads", static_cast<double>(threads)},
           {"bare_runs_per_s", median(rates.bare)},
           {"boxed_runs_per_s", median(rates.boxed)},
           {"ratio", rates.ratio()}}};
}

}  // namespace

Result<Report> bench_throughput(const BenchOptions& options) {
  const std::size_t slices = options.runs != 0 ? options.runs : 10;
  const auto cores = static_cast<unsigned>(usable_cores().size());
  Engine engine = TRY(Engine::start(2 * cores));
  const std::string file = TRY(find_shared_file(engine));
  const Rates one = TRY(measure(engine, file, 1, slices));
  const Rates all = TRY(measure(engine, file, cores, slices));
  Report report{.bench = "throughput",
                .about = "runs of /bin/cat per second, " + std::to_string(slices) +
                         " slices of 0.5 s each for bare and boxed in turn; the promise is our "
                         "own, DESIGN names none"};
  report.promises = {{"all_cores_ratio", all.ratio(), 0.6, "x", Bound::AtLeast}};
  report.detail = {section_of("one_worker", 1, one), section_of("all_cores", cores, all)};
  return report;
}

}  // namespace assay::cli
