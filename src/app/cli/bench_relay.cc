// Two programs that take turns, joined by direct pipes and by relays that note what was said; one
// core per program in both. And how much goes through a relay when one of them only writes.
#include "app/cli/bench_engine.h"
#include "app/cli/bench_guest.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "judge/group.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kPairs = 7;
constexpr std::size_t kFloods = 3;
constexpr std::size_t kLineSize = 9;             // of the guest's question
constexpr std::uint64_t kFlood = 1'000'000'000;  // bytes
constexpr Bytes kNoted = 64_MiB;                 // every question and every answer

enum class Through { Direct, Relay };

class Talk {
 public:
  Talk(Engine& engine, std::string image) : engine_(engine), image_(std::move(image)) {}

  // Wall time of the first program.
  Result<Nanoseconds> rounds(std::uint64_t count, Through through) {
    exec::Transcript transcript(kNoted);
    auto facts = TRY(run({"ask", std::to_string(count)}, {"answer"}, through, &transcript));
    if (through == Through::Relay && transcript.take().bytes != 2 * count * kLineSize)
      return system_error(0, "the relay did not note all that was said");
    return facts[0].wall;
  }

  // Wall time of the second program, which reads to the end.
  Result<Nanoseconds> flood(std::uint64_t bytes) {
    exec::Transcript transcript(1_MiB);
    auto facts = TRY(run({"flood", std::to_string(bytes)}, {"drain"}, Through::Relay, &transcript));
    if (facts[0].output.bytes != bytes) return system_error(0, "the relay lost something");
    return facts[1].wall;
  }

 private:
  [[nodiscard]] sandbox::Spec speaker(std::vector<std::string> arguments, unsigned core) const {
    arguments.insert(arguments.begin(), "./talk");
    return {.argv = std::move(arguments),
            .files_in = {{.name = "talk", .executable = true, .content = image_}},
            .cores = {core},
            .limits = {.cpu_time = 600s, .wall_time = 600s, .memory = 64_MiB}};
  }

  Result<std::vector<sandbox::Facts>> run(std::vector<std::string> first,
                                          std::vector<std::string> second, Through through,
                                          exec::Transcript* transcript) {
    const std::vector<unsigned> cores = usable_cores();
    std::vector<sandbox::Spec> pair{speaker(std::move(first), cores.front()),
                                    speaker(std::move(second), cores.back())};
    std::vector<sandbox::Facts> facts;
    if (through == Through::Direct) {
      pair[0].output = pair[1].input = sandbox::Joined{0};
      pair[1].output = pair[0].input = sandbox::Joined{1};
      facts = TRY(engine_.sandbox().run_together(pair));
    } else {
      using End = judge::Channel::End;
      judge::Cancellation never;
      judge::Group group{.programs = std::move(pair),
                         .channels = {{.writer = {0, 1}, .reader = End{1, 0}, .voice = 0},
                                      {.writer = {1, 1}, .reader = End{0, 0}, .voice = 1}},
                         .transcript = transcript};
      facts = TRY(judge::run_group(engine_.sandbox(), std::move(group), never)).facts;
    }
    for (const sandbox::Facts& each : facts)
      if (!exited_well(each))
        return system_error(0, "a program of the talk ended: " + describe_end(each));
    return facts;
  }

  Engine& engine_;
  std::string image_;
};

double gigabytes_per_second(std::uint64_t bytes, Nanoseconds time) {
  return static_cast<double>(bytes) / static_cast<double>(time.count());
}

}  // namespace

Result<Report> bench_relay(const BenchOptions& options) {
  const std::uint64_t rounds = options.runs != 0 ? options.runs : 100'000;
  if (usable_cores().size() < 2) return invalid("two cores are needed, one for each program");
  Engine engine = TRY(Engine::start(2));
  const GuestFile guest = TRY(GuestFile::make(Guest::Talk));
  Talk talk(engine, TRY(os::read_whole(guest.path())));
  std::vector<Nanoseconds> direct;
  std::vector<Nanoseconds> relayed;
  std::vector<Nanoseconds> floods;
  Progress progress("relay", 2 * kPairs + kFloods);
  for (std::size_t turn = 0; turn < 2 * kPairs; ++turn, progress.step()) {
    const bool through = side_at(turn) == Side::Boxed;
    (through ? relayed : direct)
        .push_back(TRY(talk.rounds(rounds, through ? Through::Relay : Through::Direct)));
  }
  for (std::size_t turn = 0; turn < kFloods; ++turn, progress.step())
    floods.push_back(TRY(talk.flood(kFlood)));
  const auto per_round = [&](Nanoseconds time) {
    return microseconds(time) / static_cast<double>(rounds);
  };
  return Report{
      .bench = "relay",
      .about = std::to_string(rounds) + " round trips between two programs, " +
               std::to_string(kPairs) +
               " times in turns: direct pipes against relays that note all; and 1 GB through one",
      .promises = {{"relayed_over_direct", ratio(median(relayed), median(direct)), 1.5, "x"},
                   {"one_way", gigabytes_per_second(kFlood, median(floods)), 1.0, "GB/s",
                    Bound::AtLeast}},
      .detail = {{"round_trip",
                  {{"direct_median_us", per_round(median(direct))},
                   {"direct_least_us", per_round(percentile(direct, 0.0))},
                   {"relayed_median_us", per_round(median(relayed))},
                   {"relayed_least_us", per_round(percentile(relayed, 0.0))}}},
                 {"one_gigabyte",
                  {{"median_ms", milliseconds(median(floods))},
                   {"least_ms", milliseconds(percentile(floods, 0.0))}}}}};
}

}  // namespace assay::cli
