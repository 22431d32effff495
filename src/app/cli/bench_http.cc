// go-judge's own benchmark request over HTTP: latency beside bare spawns, and rates at one and four
// connections, of our server and of a peer in turns.
#include <thread>

#include "app/cli/bench_bare.h"
#include "app/cli/bench_list.h"
#include "app/cli/bench_server.h"
#include "app/cli/bench_statistics.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Times = std::vector<Nanoseconds>;

constexpr std::string_view kBody =
    R"({"cmd":[{"args":["/bin/cat","a.hs"],"env":["PATH=/usr/bin:/bin"],"files":[{"content":""},)"
    R"({"name":"stdout","max":10240},{"name":"stderr","max":10240}],"cpuLimit":10000000000,)"
    R"("memoryLimit":104857600,"procLimit":50,"copyIn":{"a.hs":{"content":)"
    R"("main = putStrLn \"Hello, World!\""},"b":{"content":"TEST"}}}]})";
constexpr std::string_view kWanted = R"("status":"Accepted")";
constexpr unsigned kMany = 4;
constexpr std::size_t kRounds = 5;
constexpr std::size_t kWarmUp = 50;

Result<Nanoseconds> time_request(HttpLine& line, const std::string& request) {
  const auto begun = Clock::now();
  const HttpLine::Answer answer = TRY(line.exchange(request));
  const Nanoseconds taken = Clock::now() - begun;
  if (answer.status == 200 && answer.body.contains(kWanted)) return taken;
  return system_error(0,
                      "the server answered " + std::to_string(answer.status) + " " + answer.body);
}

// Requests one after the other on each connection, all at the same time. The latencies, and how
// long it took.
struct Load {
  Times latencies{};
  Nanoseconds wall{};
  [[nodiscard]] double rate() const {
    return static_cast<double>(latencies.size()) / (static_cast<double>(wall.count()) / 1e9);
  }
};

Result<Load> load(const Address& server, unsigned connections, std::size_t requests) {
  const std::string request = http_request("POST", "/run", kBody);
  std::vector<HttpLine> lines;
  for (unsigned i = 0; i < connections; ++i)
    lines.push_back(TRY(HttpLine::connect(server)));
  std::vector<Times> times(connections);
  std::vector<Status> ends(connections);
  const auto work = [&](unsigned mine) -> Status {
    for (std::size_t i = mine; i < requests; i += connections)
      times[mine].push_back(TRY(time_request(lines[mine], request)));
    return {};
  };
  const auto begun = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < connections; ++i)
      threads.emplace_back([&, i] { ends[i] = work(i); });
  }
  Load result{.wall = Clock::now() - begun};
  for (unsigned i = 0; i < connections; ++i) {
    TRY_STATUS(ends[i]);
    result.latencies.insert(result.latencies.end(), times[i].begin(), times[i].end());
  }
  return result;
}

struct Contestant {
  std::string name{};
  Address address{};
  Times alone{};                      // one connection, in turns with bare spawns
  std::vector<double> one{}, many{};  // requests per second, by round
  Times many_latencies{};
};

Status alternate(std::vector<Contestant>& all, Bare& cat, Times& bare, std::size_t turns) {
  const std::string request = http_request("POST", "/run", kBody);
  std::vector<HttpLine> lines;
  for (const Contestant& one : all)
    lines.push_back(TRY(HttpLine::connect(one.address)));
  Progress progress("http: one connection", turns + kWarmUp);
  for (std::size_t turn = 0; turn < turns + kWarmUp; ++turn, progress.step()) {
    const Nanoseconds spawn = TRY(cat.run()).wall;
    if (turn >= kWarmUp) bare.push_back(spawn);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Nanoseconds taken = TRY(time_request(lines[i], request));
      if (turn >= kWarmUp) all[i].alone.push_back(taken);
    }
  }
  return {};
}

Status compete(std::vector<Contestant>& all, std::size_t requests) {
  Progress progress("http: rates", kRounds * all.size());
  for (std::size_t round = 0; round < kRounds; ++round)
    for (Contestant& one : all) {
      one.one.push_back(TRY(load(one.address, 1, requests / 2)).rate());
      Load many = TRY(load(one.address, kMany, requests));
      one.many.push_back(many.rate());
      one.many_latencies.insert(one.many_latencies.end(), many.latencies.begin(),
                                many.latencies.end());
      progress.step();
    }
  return {};
}

Section section_of(const Contestant& one) {
  return {one.name,
          {{"one_connection_median_us", microseconds(median(one.alone))},
           {"one_connection_p99_us", microseconds(percentile(one.alone, 0.99))},
           {"one_connection_per_s", median(one.one)},
           {"four_connections_per_s", median(one.many)},
           {"four_connections_median_us", microseconds(median(one.many_latencies))},
           {"four_connections_p99_us", microseconds(percentile(one.many_latencies, 0.99))}}};
}

// Everything that is measured of our own server: what it uses, and whether it grows.
struct Upkeep {
  std::int64_t memory_kib = 0, growth_kib = 0, descriptor_growth = 0;
};

Result<Upkeep> endure(const BenchServer& server, std::size_t requests) {
  TRY(load(server.address(), kMany, requests / 4));
  const std::int64_t memory = TRY(server.memory_kib());
  const std::int64_t descriptors = TRY(server.descriptors());
  Progress progress("http: endurance", 3);
  for (int part = 0; part < 3; ++part, progress.step())
    TRY(load(server.address(), kMany, requests / 4));
  Upkeep upkeep{.memory_kib = TRY(server.memory_kib())};
  upkeep.growth_kib = upkeep.memory_kib - memory;
  upkeep.descriptor_growth = TRY(server.descriptors()) - descriptors;
  return upkeep;
}

}  // namespace

Result<Report> bench_http(const BenchOptions& options) {
  const std::size_t requests = options.runs != 0 ? options.runs : 20'000;
  constexpr std::size_t kTurns = 1000;
  constexpr std::size_t kPerRound = 1000;
  Report report{.bench = "http",
                .about =
                    "go-judge's benchmark request (/bin/cat, two files in, two collectors) over "
                    "HTTP, in turns with bare posix_spawn of /bin/cat"};
  BenchServer server = TRY(BenchServer::start());
  std::vector<Contestant> all{{.name = "assayd", .address = server.address()}};
  if (!options.peer.empty())
    all.push_back({.name = "peer", .address = TRY(parse_url(options.peer))});
  Bare cat({"/bin/cat", "/etc/hostname"});
  Times bare;
  TRY_STATUS(alternate(all, cat, bare, kTurns));
  TRY_STATUS(compete(all, kPerRound));
  const Upkeep upkeep = TRY(endure(server, requests));
  const std::size_t served = kWarmUp + kTurns + kRounds * kPerRound * 3 / 2 + requests / 4 * 4;
  const double cpu_us = microseconds(TRY(server.stop())) / static_cast<double>(served);
  const Contestant& ours = all.front();
  report.promises = {
      {"request_over_bare_spawn", ratio(median(ours.alone), median(bare)), 1.6, "x"},
      {"four_connections_over_one", median(ours.many) / median(ours.one), 1.5, "x", Bound::AtLeast},
      {"cpu_per_request_ms", cpu_us / 1e3, 1.2, "ms"},
      {"daemon_and_warden_mib", static_cast<double>(upkeep.memory_kib) / 1024, 20, "MiB"},
      {"memory_growth_kib", static_cast<double>(upkeep.growth_kib), 0, "KiB"},
      {"descriptor_growth", static_cast<double>(upkeep.descriptor_growth), 0, "count"},
  };
  if (all.size() > 1) {
    report.promises.push_back({"one_connection_over_peer", median(ours.one) / median(all[1].one), 5,
                               "x", Bound::AtLeast});
    report.promises.push_back({"four_connections_over_peer",
                               median(ours.many) / median(all[1].many), 5, "x", Bound::AtLeast});
  }
  for (const Contestant& one : all)
    report.detail.push_back(section_of(one));
  report.detail.push_back({"bare",
                           {{"spawn_median_us", microseconds(median(bare))},
                            {"spawn_p99_us", microseconds(percentile(bare, 0.99))},
                            {"requests_served", static_cast<double>(served)}}});
  return report;
}

}  // namespace assay::cli
