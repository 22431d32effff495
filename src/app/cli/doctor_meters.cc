// The cgroup files by which limits are kept and use is measured.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/doctor_cgroups.h"
#include "app/cli/doctor_host.h"
#include "os/file.h"

namespace assay::cli::checkup {
namespace {

namespace fs = std::filesystem;

struct MeterFile {
  const char* name = nullptr;
  const char* marker = nullptr;  // a file that every cgroup with the controller has
  KernelVersion since{};
  const char* without = nullptr;  // what the engine does when it is not there
};

std::string newer_kernel(KernelVersion since) {
  return fmt::format("Linux {}.{} or newer: apt install linux-image-amd64 && reboot", since.major,
                     since.minor);
}

Finding look_for(const Host& host, const std::string& mount, const MeterFile& file) {
  const auto cgroup = cgroup_having(mount, file.marker);
  const bool there = cgroup ? os::exists(*cgroup + "/" + file.name) : host.kernel >= file.since;
  if (there && cgroup) return {State::Ok, fmt::format("seen in {}", *cgroup)};
  if (there)
    return {State::Ok, fmt::format("this kernel has it; no cgroup below {} to see it in", mount)};
  return {State::Degraded, fmt::format("not there: {}", file.without), newer_kernel(file.since)};
}

Finding look_at_kill(const Host& host) {
  if (!uses_v2(host))
    return {State::Note, "belongs to v2; on v1 the end of a box's init ends all in it"};
  return look_for(
      host, host.cgroups.v2()->mount,
      {"cgroup.kill", "cgroup.type", {5, 14}, "the end of a box's init ends all in it"});
}

Finding look_at_memory_peak(const Host& host) {
  if (uses_v2(host))
    return look_for(
        host, host.cgroups.v2()->mount,
        {"memory.peak", "memory.max", {5, 19}, "memory is the largest process's, by rusage"});
  const os::Hierarchy* memory = host.cgroups.v1("memory");
  if (memory == nullptr)
    return {State::Degraded, "no memory controller: memory is the largest process's, by rusage",
            cgroup_fix(host)};
  return {State::Ok, "v1 has memory.max_usage_in_bytes"};
}

Finding look_at_processes_peak(const Host& host) {
  const os::Hierarchy* pids = uses_v2(host) ? host.cgroups.v2() : host.cgroups.v1("pids");
  if (pids == nullptr)
    return {State::Degraded, "no pids controller: processes are not counted", cgroup_fix(host)};
  return look_for(host, pids->mount,
                  {"pids.peak", "pids.max", {6, 1}, "processes_peak is not measured"});
}

bool swap_is_on() {
  const std::string swaps = os::read_whole("/proc/swaps").value_or("");
  const std::size_t header = swaps.find('\n');
  return header != std::string::npos && header + 1 < swaps.size();
}

// Without it a program could go on beyond its memory limit, in swap.
Finding look_at_swap(const Host& host) {
  const os::Hierarchy* memory = uses_v2(host) ? host.cgroups.v2() : host.cgroups.v1("memory");
  if (memory == nullptr) return {State::Note, "no memory controller"};
  const char* file = uses_v2(host) ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
  const char* marker = uses_v2(host) ? "memory.max" : "memory.limit_in_bytes";
  const auto cgroup = cgroup_having(memory->mount, marker);
  if (cgroup && os::exists(*cgroup + "/" + file))
    return {State::Ok, std::string(file) + " is there"};
  if (!swap_is_on()) return {State::Ok, fmt::format("no {} seen, and no swap is on", file)};
  if (!cgroup) return {State::Note, "no cgroup to see it in"};
  return {State::Degraded, fmt::format("no {}, and swap is on", file),
          "swapoff -a; or " + boot_with("swapaccount=1")};
}

constexpr std::array kChecks{
    Check{"cgroups", "cgroup.kill", look_at_kill},
    Check{"cgroups", "memory.peak", look_at_memory_peak},
    Check{"cgroups", "pids.peak", look_at_processes_peak},
    Check{"cgroups", "swap accounting", look_at_swap},
};

}  // namespace

std::optional<std::string> cgroup_having(const std::string& mount, const std::string& marker) {
  constexpr int kDeepest = 3;
  if (os::exists(mount + "/" + marker)) return mount;
  std::error_code error;
  fs::recursive_directory_iterator it(mount, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code gone;
    if (!it->is_directory(gone)) continue;
    if (it.depth() >= kDeepest) it.disable_recursion_pending();
    if (os::exists(it->path().string() + "/" + marker)) return it->path().string();
  }
  return std::nullopt;
}

std::span<const Check> meter_checks() {
  return kChecks;
}

}  // namespace assay::cli::checkup
