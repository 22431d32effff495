#include "app/cli/bench_holding.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "app/cli/bench_traces.h"
#include "os/cgroup.h"
#include "os/file.h"

namespace assay::cli {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

std::vector<std::string> targets_of(pid_t process) {
  std::vector<std::string> all;
  std::error_code error;
  for (fs::directory_iterator at(proc(process, "fd"), error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    all.push_back(fs::read_symlink(at->path(), gone).string());
  }
  return all;
}

// Sockets to a launcher, its pidfd, the meters and limits of its cgroup.
bool is_handle(const std::string& target) {
  return target.starts_with("socket:") || target.contains("pidfd") ||
         (target.starts_with("/sys/fs/cgroup/") && target.contains("/assay-"));
}

Result<std::int64_t> stored_files(const Address& server) {
  HttpLine line = TRY(HttpLine::connect(server));
  const HttpLine::Answer answer = TRY(line.exchange(http_request("GET", "/file", "")));
  if (answer.status != 200) return system_error(0, "GET /file: " + answer.body);
  return std::ranges::count(answer.body, ':');
}

// The box's directory, in whichever hierarchy: ".../assay-N/box-K".
void add_living(pid_t launcher, std::set<std::string>& living) {
  std::istringstream lines(os::read_whole(proc(launcher, "cgroup")).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t box = line.find("/box-");
    if (box != std::string::npos) living.insert(line.substr(box, line.find('/', box + 1) - box));
  }
}

std::int64_t strays_in(const std::string& instance, const std::set<std::string>& living) {
  std::int64_t strays = 0;
  for (const os::Hierarchy& hierarchy : os::read_cgroup_layout().hierarchies) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(hierarchy.mount, error), end; !error && at != end;
         at.increment(error)) {
      const std::string path = at->path().string();
      const std::size_t box = path.find("/assay-" + instance + "/box-");
      std::error_code gone;
      if (box == std::string::npos || !at->is_directory(gone)) continue;
      const std::size_t begin = path.find("/box-", box);
      if (!living.contains(path.substr(begin, path.find('/', begin + 1) - begin))) ++strays;
    }
  }
  return strays;
}

Result<Holding> look(const BenchServer& server) {
  const BenchServer::Engine engine = TRY(server.engine());
  Holding holding{.memory_kib = TRY(server.memory_kib()),
                  .stored_files = TRY(stored_files(server.address())),
                  .directories = directories_of(engine.instance)};
  std::int64_t handles = 0;
  for (const pid_t process : server.own_processes())
    for (const std::string& target : targets_of(process))
      ++(is_handle(target) ? handles : holding.descriptors);
  std::set<std::string> living;
  for (const pid_t launcher : children_of(engine.warden)) {
    ++holding.boxes;
    add_living(launcher, living);
    holding.descriptors_in_box = std::max<std::int64_t>(
        holding.descriptors_in_box, static_cast<std::int64_t>(targets_of(launcher).size()));
    holding.mounts_in_box = std::max(holding.mounts_in_box, mounts_of(launcher));
    const auto below = static_cast<std::int64_t>(descendants_of(launcher).size());
    holding.stray_processes += std::max<std::int64_t>(0, below - 1);
  }
  holding.handles_per_box = handles / std::max<std::int64_t>(1, holding.boxes);
  holding.stray_cgroups = strays_in(engine.instance, living);
  return holding;
}

}  // namespace

Result<Holding> holding_of(const BenchServer& server) {
  Holding before = TRY(look(server));
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::this_thread::sleep_for(10ms);  // a box that is ready may still be mounting its next /proc
    Holding now = TRY(look(server));
    before.memory_kib = now.memory_kib;
    if (now == before) return now;
    before = now;
  }
  return invalid("the daemon did not come to rest");
}

}  // namespace assay::cli
