// What makes two measurements of one program differ. None of it is in the way of a full box.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "app/cli/doctor.h"
#include "app/cli/doctor_host.h"
#include "os/directory.h"
#include "os/file.h"

namespace assay::cli::checkup {
namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu/";

std::optional<std::string> of_cpus(const std::string& file) {
  return first_line(kCpus + file);
}

Finding look_at_swap(const Host&) {
  std::istringstream swaps(os::read_whole("/proc/swaps").value_or(""));
  std::string line;
  std::getline(swaps, line);  // the heading
  if (!std::getline(swaps, line)) return {State::Ok, "off"};
  return {State::Degraded, "on: " + line.substr(0, line.find_first_of(" \t")),
          "swapoff -a, and remove the swap line from /etc/fstab"};
}

Finding look_at_smt(const Host&) {
  const auto active = of_cpus("smt/active");
  if (!active) return {State::Note, "not told"};
  if (active == "0") return {State::Ok, "off, or none"};
  return {State::Degraded, "on: two programs may share one core",
          "echo off > /sys/devices/system/cpu/smt/control"};
}

Finding look_at_governor(const Host&) {
  std::set<std::string> governors;
  for (const std::string& cpu : os::names_in(kCpus).value_or(std::vector<std::string>{}))
    if (const auto governor =
            first_line(std::string(kCpus) + "/" + cpu + "/cpufreq/scaling_governor"))
      governors.insert(*governor);
  if (governors.empty()) return {State::Note, "not ours to set (a virtual machine?)"};
  if (governors == std::set<std::string>{"performance"}) return {State::Ok, "performance"};
  governors.erase("performance");
  return {State::Degraded, *governors.begin(),
          "echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"};
}

Finding look_at_turbo(const Host&) {
  struct Switch {
    const char* file;
    const char* off;
  };
  for (const Switch& turbo : {Switch{"intel_pstate/no_turbo", "1"}, Switch{"cpufreq/boost", "0"}}) {
    const auto value = of_cpus(turbo.file);
    if (!value) continue;
    if (value == turbo.off) return {State::Ok, "off"};
    return {State::Degraded, "on: speed depends on heat and on the other cores",
            fmt::format("echo {} > {}{}", turbo.off, kCpus, turbo.file)};
  }
  return {State::Note, "not ours to set (a virtual machine?)"};
}

Finding look_at_aslr(const Host&) {
  const std::string value = first_line("/proc/sys/kernel/randomize_va_space").value_or("not told");
  if (value == "0") return {State::Note, "0: off, runs repeat more exactly"};
  return {State::Note, value + ": on, addresses differ from run to run"};
}

Finding look_at_huge_pages(const Host&) {
  const auto value = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  if (!value) return {State::Ok, "none"};
  if (!value->contains("[always]")) return {State::Ok, *value};
  return {State::Degraded, *value + ": memory comes in steps of 2 MiB, when the host has them",
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
}

Finding look_at_core_pattern(const Host&) {
  const std::string pattern = first_line("/proc/sys/kernel/core_pattern").value_or("not told");
  if (!pattern.starts_with('|')) return {State::Ok, pattern};
  return {State::Degraded, pattern + ": every crash starts a program on the host",
          set_sysctl("kernel.core_pattern=core")};
}

Finding look_at_isolated(const Host&) {
  const std::string isolated = of_cpus("isolated").value_or("");
  const std::string tickless = of_cpus("nohz_full").value_or("");
  const bool no_ticks = !tickless.empty() && !tickless.contains("null");
  return {State::Note,
          fmt::format("isolcpus: {}; nohz_full: {}", isolated.empty() ? "none" : isolated,
                      no_ticks ? tickless : "none")};
}

Finding look_at_load(const Host&) {
  double load = 0;
  std::istringstream(first_line("/proc/loadavg").value_or("0")) >> load;
  const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  const std::string found = fmt::format("{:.2f} on {} cpus", load, cpus);
  if (load <= static_cast<double>(cpus) / 2) return {State::Ok, found};
  return {State::Degraded, found + ": others are at work",
          "stop what 'ps -eo pcpu,pid,args --sort=-pcpu | head' shows"};
}

// "cpu user nice system idle iowait irq softirq steal …", in ticks since boot.
double steal_percent() {
  std::istringstream fields(first_line("/proc/stat").value_or(""));
  std::string name;
  std::array<double, 8> ticks{};
  double all = 0;
  fields >> name;
  for (double& tick : ticks) {
    fields >> tick;
    all += tick;
  }
  return all > 0 ? 100 * ticks[7] / all : 0;
}

Finding look_at_hypervisor(const Host&) {
  if (!os::read_whole("/proc/cpuinfo").value_or("").contains(" hypervisor"))
    return {State::Ok, "none seen"};
  return {State::Note,
          fmt::format("a virtual machine; {:.2f} % of its time was taken by others (steal)",
                      steal_percent())};
}

constexpr std::array kChecks{
    Check{"noise", "swap", look_at_swap},
    Check{"noise", "SMT", look_at_smt},
    Check{"noise", "frequency governor", look_at_governor},
    Check{"noise", "turbo", look_at_turbo},
    Check{"noise", "ASLR", look_at_aslr},
    Check{"noise", "huge pages", look_at_huge_pages},
    Check{"noise", "core_pattern", look_at_core_pattern},
    Check{"noise", "isolated cpus", look_at_isolated},
    Check{"noise", "load", look_at_load},
    Check{"noise", "hypervisor", look_at_hypervisor},
};

}  // namespace

std::span<const Check> noise_checks() {
  return kChecks;
}

}  // namespace assay::cli::checkup
