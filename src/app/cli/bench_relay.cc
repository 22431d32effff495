// Two programs that take turns, joined by direct pipes and by relays that keep what was said; one
// core per program in both.
#include <unistd.h>

#include <filesystem>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "exec/runner.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPairs = 7;
constexpr std::size_t kLineSize = 9;  // of the guest's question

// Everything the talk needs, and where what was kept of it ends up.
struct Talk {
  exec::Runner& runner;
  std::string image;
  std::uint64_t rounds;

  [[nodiscard]] exec::Command speaker(std::vector<std::string> args, unsigned core) const {
    args.insert(args.begin(), "./talk");
    return {.args = std::move(args),
            .files = {exec::FromPipe{}, exec::FromPipe{}, exec::Collector{"stderr", 1_KiB, true}},
            .limits = {.cpu = 600s,
                       .clock = 600s,
                       .memory = 64_MiB,
                       .processes = 1,
                       .cpu_set = std::to_string(core)},
            .copy_in = {{"talk", exec::Content{image}}}};
  }

  Result<Nanoseconds> time(bool relayed) {
    const std::vector<unsigned> cores = usable_cores();
    const Bytes keep{rounds * kLineSize};
    exec::Request request{
        .commands = {speaker({"ask", std::to_string(rounds)}, cores.front()),
                     speaker({"answer"}, cores.back())},
        .pipes = {
            {.writer = {0, 1}, .reader = {1, 0}, .proxy = relayed, .name = "asked", .max = keep},
            {.writer = {1, 1},
             .reader = {0, 0},
             .proxy = relayed,
             .name = "answered",
             .max = keep}}};
    const auto results = TRY(runner.run(request, {}));
    for (const exec::CommandResult& result : results)
      if (result.status != exec::RunStatus::Accepted)
        return system_error(0, "a program of the talk ended as " +
                                   std::string(name_of(result.status)) + ": " + result.error);
    if (relayed && results[0].files.at("asked").size() != keep.count)
      return system_error(0, "the relay did not keep all that was said");
    return results[0].run_time;
  }
};

Result<exec::Rules> rules() {
  exec::Rules rules{.profile = "default"};
  rules.policy = TRY(verdict::load_policy(policy_directory(), "gojudge"));
  return rules;
}

}  // namespace

Result<Report> bench_relay(const BenchOptions& options) {
  const std::uint64_t rounds = options.runs != 0 ? options.runs : 100'000;
  if (usable_cores().size() < 2) return invalid("two cores are needed, one for each program");
  Engine engine = TRY(Engine::start(2));
  store::Store store =
      TRY(store::Store::open({.directory = std::filesystem::temp_directory_path() /
                                           ("assay-bench-" + std::to_string(::getpid())),
                              .temporary = true}));
  exec::Runner runner(
      engine.sandbox(), store, [](const std::string& path) { return os::open(path, 0); },
      TRY(rules()));
  const GuestFile guest = TRY(GuestFile::make(Guest::Talk));
  Talk talk{runner, TRY(os::read_whole(guest.path())), rounds};
  std::vector<Nanoseconds> direct;
  std::vector<Nanoseconds> relayed;
  Progress progress("relay", 2 * kPairs);
  for (std::size_t turn = 0; turn < 2 * kPairs; ++turn, progress.step()) {
    const bool through = side_at(turn) == Side::Boxed;
    (through ? relayed : direct).push_back(TRY(talk.time(through)));
  }
  const auto per_round = [&](Nanoseconds time) {
    return microseconds(time) / static_cast<double>(rounds);
  };
  return Report{
      .bench = "relay",
      .about = std::to_string(rounds) + " round trips between two programs, " +
               std::to_string(kPairs) +
               " times in turns: direct pipes against relays that keep all",
      .promises = {{"relayed_over_direct", ratio(median(relayed), median(direct)), 1.5, "x"}},
      .detail = {{"round_trip",
                  {{"direct_median_us", per_round(median(direct))},
                   {"direct_least_us", per_round(percentile(direct, 0.0))},
                   {"relayed_median_us", per_round(median(relayed))},
                   {"relayed_least_us", per_round(percentile(relayed, 0.0))}}}}};
}

}  // namespace assay::cli
