// `assay bench soak --minutes N [--hostile]`: a daemon at saturation, honest programs beside
// hostile ones. Spells with hostile programs and without take turns, so that what an honest program
// takes is compared with the same on the same machine under the same load.
#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>

#include "app/cli/bench_engine.h"
#include "app/cli/bench_holding.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_statistics.h"
#include "app/cli/bench_trials.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Times = std::vector<Nanoseconds>;

constexpr double kPermittedInflation = 5;     // per cent, of CPU time
constexpr double kPermittedGrowthKib = 1024;  // of four processes: what their allocators keep back
constexpr auto kLongestSpell = 5s;
constexpr int kLeastSpells = 4;

struct Mistake {
  std::string trial{};
  std::string answer{};
  auto operator<=>(const Mistake&) const = default;
};

// What one connection, or all of a spell, saw.
struct Tally {
  Times honest{}, hostile{};  // latencies
  Times cpu{};                // of the timed program
  std::map<std::string, std::size_t> answered{};
  std::map<Mistake, std::size_t> wrong{};

  void add(const Trial& trial, const Answered& answer) {
    (trial.hostile ? hostile : honest).push_back(answer.latency);
    if (trial.timed && answer.right) cpu.push_back(answer.cpu);
    ++answered[trial.name];
    if (!answer.right) ++wrong[{trial.name, answer.verdict}];
  }
  void add(const Tally& other) {
    honest.insert(honest.end(), other.honest.begin(), other.honest.end());
    hostile.insert(hostile.end(), other.hostile.begin(), other.hostile.end());
    cpu.insert(cpu.end(), other.cpu.begin(), other.cpu.end());
    for (const auto& [name, count] : other.answered)
      answered[name] += count;
    for (const auto& [mistake, count] : other.wrong)
      wrong[mistake] += count;
  }
  [[nodiscard]] std::size_t mistakes() const {
    std::size_t sum = 0;
    for (const auto& [mistake, count] : wrong)
      sum += count;
    return sum;
  }
};

// Levelling runs one program by each door, so that the same was last run in every box.
enum class Mix { Levelling, Honest, Hostile };

struct Spell {
  bool hostile = false;
  Nanoseconds wall{};
  Tally tally{};
};

class Siege {
 public:
  Siege(Address server, std::vector<Trial> trials) : server_(std::move(server)) {
    for (Trial& trial : trials)
      (trial.hostile ? hostile_ : honest_).push_back(std::move(trial));
    timed_ =
        static_cast<std::size_t>(std::ranges::find(honest_, true, &Trial::timed) - honest_.begin());
    for (const Trial& trial : honest_)
      if (trial.name == "crash" || trial.name == "right") level_.push_back(&trial);
  }

  // Every connection asks again as soon as it is answered, until the time is over.
  Result<Spell> run(Nanoseconds length, Mix mix) {
    const unsigned connections = 2 * static_cast<unsigned>(usable_cores().size()) + 2;
    std::vector<Tally> tallies(connections);
    std::vector<Status> ends(connections);
    const auto begun = Clock::now();
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < connections; ++i)
        threads.emplace_back([&, i] { ends[i] = ask(begun + length, mix, tallies[i]); });
    }
    Spell spell{.hostile = mix == Mix::Hostile, .wall = Clock::now() - begun};
    for (unsigned i = 0; i < connections; ++i) {
      TRY_STATUS(ends[i]);
      spell.tally.add(tallies[i]);
    }
    return spell;
  }

 private:
  Status ask(Clock::time_point until, Mix mix, Tally& tally) {
    HttpLine line = TRY(HttpLine::connect(server_));
    std::minstd_rand random(++seed_);
    while (Clock::now() < until) {
      const Trial& trial = choose(mix, random);
      tally.add(trial, TRY(try_once(line, trial)));
    }
    return {};
  }

  // Half of all are hostile, where any are; a quarter is the program whose time is compared.
  const Trial& choose(Mix mix, std::minstd_rand& random) const {
    if (mix == Mix::Levelling) return *level_[random() % level_.size()];
    const unsigned long kind = random() % 4;
    if (kind == 0) return honest_[timed_];
    if (kind > 1 && mix == Mix::Hostile) return hostile_[random() % hostile_.size()];
    return honest_[random() % honest_.size()];
  }

  Address server_;
  std::vector<Trial> honest_, hostile_;
  std::vector<const Trial*> level_;
  std::size_t timed_ = 0;
  std::atomic<unsigned> seed_ = 0;
};

// In every box the same program was last at work.
Result<Holding> rest_and_look(const BenchServer& server, Siege& siege) {
  TRY(siege.run(1s, Mix::Levelling));
  return holding_of(server);
}

void add_growth(Report& report, const Holding& before, const Holding& after) {
  report.promises.push_back({"memory_growth",
                             static_cast<double>(after.memory_kib - before.memory_kib),
                             kPermittedGrowthKib, "KiB"});
  Section held{"held_at_rest",
               {{"memory_before_kib", static_cast<double>(before.memory_kib)},
                {"memory_after_kib", static_cast<double>(after.memory_kib)},
                {"boxes_before", static_cast<double>(before.boxes)},
                {"boxes_after", static_cast<double>(after.boxes)}}};
  for (const auto& [name, count] : kHoldingFields) {
    const auto first = static_cast<double>(before.*count);
    const auto last = static_cast<double>(after.*count);
    report.promises.push_back({std::string(name) + "_growth", last - first, 0, "count"});
    held.figures.push_back({std::string(name) + "_before", first});
    held.figures.push_back({std::string(name) + "_after", last});
  }
  report.detail.push_back(std::move(held));
}

// --- the report ---

// Spell by spell beside its neighbour in time: a machine that changes its speed changes both.
std::vector<double> inflations(const std::vector<Spell>& spells) {
  std::vector<double> found;
  for (std::size_t i = 0; i + 1 < spells.size(); i += 2) {
    const Spell& one = spells[i];
    const Spell& other = spells[i + 1];
    if (one.hostile == other.hostile || one.tally.cpu.empty() || other.tally.cpu.empty()) continue;
    const Spell& beside = one.hostile ? one : other;
    const Spell& alone = one.hostile ? other : one;
    found.push_back(100 * (ratio(median(beside.tally.cpu), median(alone.tally.cpu)) - 1));
  }
  return found;
}

Section section_of(const std::string& name, const Tally& tally, Nanoseconds wall) {
  const double seconds = milliseconds(wall) / 1e3;
  const std::size_t answered = tally.honest.size() + tally.hostile.size();
  Section section{name,
                  {{"seconds", seconds},
                   {"answered", static_cast<double>(answered)},
                   {"per_s", static_cast<double>(answered) / seconds}}};
  const auto add = [&](const std::string& who, const Times& times) {
    if (times.empty()) return;
    for (const auto& [label, fraction] : {std::pair{"median", 0.5}, {"p90", 0.9}, {"p99", 0.99}})
      section.figures.push_back(
          {who + "_latency_" + label + "_ms", milliseconds(percentile(times, fraction))});
  };
  add("honest", tally.honest);
  add("hostile", tally.hostile);
  if (!tally.cpu.empty())
    section.figures.push_back({"timed_cpu_median_ms", milliseconds(median(tally.cpu))});
  return section;
}

std::string describe_mistakes(const Tally& tally) {
  std::string text;
  for (const auto& [mistake, count] : tally.wrong)
    text += (text.empty() ? "" : "; ") + mistake.trial + " was answered '" + mistake.answer +
            "', " + std::to_string(count) + " of " +
            std::to_string(tally.answered.at(mistake.trial));
  return text;
}

void add_spells(Report& report, const std::vector<Spell>& spells, bool hostile) {
  Tally all, sides[2];
  Nanoseconds walls[2]{};
  for (const Spell& spell : spells) {
    all.add(spell.tally);
    sides[spell.hostile ? 1 : 0].add(spell.tally);
    walls[spell.hostile ? 1 : 0] += spell.wall;
  }
  report.promises.push_back({"verdict_errors", static_cast<double>(all.mistakes()), 0, "count"});
  report.caution = describe_mistakes(all);
  report.detail.push_back(section_of("honest_alone", sides[0], walls[0]));
  if (hostile) {
    const auto shifts = inflations(spells);
    report.promises.push_back({"honest_cpu_inflation", median(shifts), kPermittedInflation, "%"});
    report.detail.push_back(section_of("honest_beside_hostile", sides[1], walls[1]));
    report.detail.push_back({"inflation",
                             {{"pairs", static_cast<double>(shifts.size())},
                              {"p10_percent", percentile(shifts, 0.1)},
                              {"median_percent", median(shifts)},
                              {"p90_percent", percentile(shifts, 0.9)}}});
  }
  Section counts{"answered", {}};
  for (const auto& [name, count] : all.answered)
    counts.figures.push_back({name, static_cast<double>(count)});
  report.detail.push_back(std::move(counts));
}

}  // namespace

Result<Report> bench_siege(const BenchOptions& options) {
  const auto length =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(60 * options.minutes));
  const auto spell = std::min<Nanoseconds>(kLongestSpell, length / kLeastSpells);
  const auto spells = static_cast<std::size_t>(length / spell);
  const Mix hostile = options.hostile ? Mix::Hostile : Mix::Honest;
  BenchServer server = TRY(BenchServer::start());
  Siege siege(server.address(), TRY(make_trials(server.address(), options.hostile)));
  TRY(siege.run(spell, hostile));  // until all boxes are there
  const Holding before = TRY(rest_and_look(server, siege));
  std::vector<Spell> done;
  Progress progress("soak", spells);
  for (std::size_t i = 0; i < spells; ++i, progress.step())
    done.push_back(TRY(siege.run(spell, side_at(i) == Side::Boxed ? hostile : Mix::Honest)));
  const Holding after = TRY(rest_and_look(server, siege));
  Report report{.bench = "soak",
                .about = std::string("a daemon at saturation: honest programs") +
                         (options.hostile ? " alone and beside hostile ones, in turns" : "")};
  add_spells(report, done, options.hostile);
  add_growth(report, before, after);
  TRY(server.stop());
  return report;
}

}  // namespace assay::cli
