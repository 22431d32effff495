#include "app/daemon/engine_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>

#include "os/cgroup.h"
#include "os/file.h"

namespace assay::daemon {
namespace {

using Kind = transport::Metrics::Kind;

// Files of the engine's own cgroups, which anybody may read; empty where there are none.
struct Files {
  std::string cpu{}, memory{}, memory_peak{};
  std::string cpu_key{};    // v2: the line of cpu.stat
  double cpu_per_unit = 0;  // seconds
};

Files find_files(const std::string& instance) {
  const std::string directory = "/assay-" + instance + "/";
  const os::CgroupLayout layout = os::read_cgroup_layout();
  const os::Hierarchy* cpu = layout.v1("cpuacct");
  const os::Hierarchy* memory = layout.v1("memory");
  if (cpu != nullptr && memory != nullptr)
    return {cpu->mount + directory + "cpuacct.usage",
            memory->mount + directory + "memory.usage_in_bytes",
            memory->mount + directory + "memory.max_usage_in_bytes", "", 1e-9};
  const os::Hierarchy* unified = layout.v2();
  if (unified == nullptr) return {};
  std::string base = unified->mount;
  if (!os::exists(base + directory)) base += os::own_cgroup_v2();
  return {base + directory + "cpu.stat", base + directory + "memory.current",
          base + directory + "memory.peak", "usage_usec ", 1e-6};
}

double number_in(const std::string& path, const std::string& key = "") {
  const std::string text = os::read_whole(path).value_or("");
  const std::size_t at = text.find(key);
  double value = 0;
  if (at != std::string::npos)
    std::from_chars(text.data() + at + key.size(), text.data() + text.size(), value);
  return value;
}

double own_cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double own_memory() {
  const std::string pages = os::read_whole("/proc/self/statm").value_or("0 0");
  double resident = 0;
  const std::size_t at = pages.find(' ') + 1;
  std::from_chars(pages.data() + at, pages.data() + pages.size(), resident);
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double own_memory_peak() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) * 1024;
}

// One figure three times: of the boxes, of the daemon ("controller"), of both.
void watch_three(transport::Metrics& metrics, const std::string& name, const std::string& help,
                 std::function<double()> boxes, double (*controller)()) {
  metrics.watch(Kind::Gauge, name, help, boxes, {{"type", "containers"}});
  metrics.watch(Kind::Gauge, name, help, controller, {{"type", "controller"}});
  metrics.watch(Kind::Gauge, name, help, [boxes, controller] { return boxes() + controller(); },
                {{"type", "all"}});
}

}  // namespace

void watch_engine(transport::Metrics& metrics, const sandbox::Sandbox& engine) {
  metrics.watch(Kind::Counter, "go_judge_environment_count", "boxes made since the start",
                [&engine] { return static_cast<double>(engine.boxes().made); });
  metrics.watch(Kind::Gauge, "go_judge_environment_current_count", "boxes in use",
                [&engine] { return static_cast<double>(engine.boxes().current); });
  const Files files = find_files(engine.instance());
  watch_three(
      metrics, "go_judge_cgroup_cpu_seconds", "cpu time used",
      [files] { return number_in(files.cpu, files.cpu_key) * files.cpu_per_unit; },
      own_cpu_seconds);
  watch_three(
      metrics, "go_judge_cgroup_memory_bytes", "memory in use",
      [files] { return number_in(files.memory); }, own_memory);
  watch_three(
      metrics, "go_judge_cgroup_memory_max_bytes", "most memory ever in use",
      [files] { return number_in(files.memory_peak); }, own_memory_peak);
}

}  // namespace assay::daemon
