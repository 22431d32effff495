// What a box may use: resource limits of the process, and the cgroups it is in.
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <sstream>

#include "os/cgroup.h"
#include "os/file.h"
#include "tests/support/posture_rules.h"

namespace assay::test {
namespace {

std::string both(unsigned long value) {
  return std::to_string(value) + " " + std::to_string(value);
}

std::string bytes_or_none(const std::optional<Bytes>& value, unsigned long more = 0) {
  return value ? both(value->count + more) : "unlimited unlimited";
}

// By hierarchy: "memory" or, on v2, "".
std::map<std::string, std::string> cgroups_in(const std::string& text) {
  std::map<std::string, std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::istringstream names(line.substr(first + 1, second - first - 1));
    std::string name;
    do {
      std::getline(names, name, ',');
      found[name] = line.substr(second + 1);
    } while (names);
  }
  return found;
}

struct Number {
  unsigned long value = 0;
  bool is_there = false;
};

Number number_in(const std::string& path) {
  const std::string text = os::read_whole(path).value_or("");
  if (text.empty() || text[0] < '0' || text[0] > '9') return {};
  return {std::stoul(text), true};
}

// A cgroup's file may hold a little more than was asked for: what an earlier run left in the meter,
// and init.
void check_cap(Faults& faults, const std::string& path, unsigned long asked, unsigned long slack) {
  const Number found = number_in(path);
  faults.expect(found.is_there && found.value >= asked && found.value <= asked + slack,
                path + " is " + (found.is_there ? std::to_string(found.value) : "not limited") +
                    " where " + std::to_string(asked) + " was asked for");
}

constexpr unsigned long kPage = 1UL << 20, kInit = 2;

void check_v1(Faults& faults, const os::CgroupLayout& layout,
              std::map<std::string, std::string>& own) {
  for (const std::string controller : {"memory", "pids", "cpuacct", "cpu", "freezer"}) {
    const os::Hierarchy* hierarchy = layout.v1(controller);
    if (hierarchy == nullptr) continue;
    faults.expect(own[controller].contains("/assay-"), "is in the host's cgroup of " + controller);
    const std::string place = hierarchy->mount + own[controller];
    if (controller == "memory" && faults.asked.limits.memory)
      check_cap(faults, place + "/memory.limit_in_bytes", faults.asked.limits.memory->count, kPage);
    if (controller == "pids" && faults.asked.limits.processes)
      check_cap(faults, place + "/pids.max", *faults.asked.limits.processes, kInit);
  }
}

// In a container the host's processes are in a leaf that we have made for them.
void check_v2(Faults& faults, const os::CgroupLayout& layout, const std::string& own,
              const std::string& ours) {
  faults.expect(own.contains("/assay-") && own != ours, "is in the host's cgroup");
  const std::string place = layout.v2()->mount + own;
  if (faults.asked.limits.memory)
    check_cap(faults, place + "/memory.max", faults.asked.limits.memory->count, kPage);
  if (faults.asked.limits.processes)
    check_cap(faults, place + "/pids.max", *faults.asked.limits.processes, kInit);
  if (os::exists(place + "/memory.swap.max"))
    faults.expect(number_in(place + "/memory.swap.max").value == 0, "may swap");
}

}  // namespace

void check_limits(Faults& faults, const Member& member) {
  auto found = proc::limits(member.thread.process);
  faults.equal("nice limit", found["Max nice priority"], "0 0");
  faults.equal("real-time limit", found["Max realtime priority"], "0 0");
  if (member.role != Role::Program) return;
  const sandbox::Limits& limits = faults.asked.limits;
  faults.equal("core limit", found["Max core file size"], "1 1");
  faults.equal("locked memory", found["Max locked memory"], both(64 << 10));
  faults.equal("message queues", found["Max msgqueue size"], "0 0");
  faults.equal("file size", found["Max file size"], bytes_or_none(limits.output, 1));
  faults.equal("address space", found["Max address space"], bytes_or_none(limits.address_space));
  faults.equal("data", found["Max data size"], bytes_or_none(limits.data_segment));
  if (faults.asked.stack_most && limits.stack)
    faults.equal(
        "stack", found["Max stack size"],
        std::to_string(limits.stack->count) + " " + std::to_string(faults.asked.stack_most->count));
  else if (!faults.asked.starts_others)  // a compiler raises its soft limit
    faults.equal("stack", found["Max stack size"],
                 bytes_or_none(limits.stack || !limits.memory
                                   ? limits.stack
                                   : std::optional(Bytes{limits.memory->count + (2U << 20)})));
  if (limits.open_files)
    faults.equal("open files", found["Max open files"], both(*limits.open_files));
  if (limits.cpu_time) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*limits.cpu_time).count() + 1;
    faults.equal("cpu time", found["Max cpu time"],
                 std::to_string(seconds) + " " + std::to_string(seconds + 1));
  }
}

void check_cgroups(Faults& faults, const Member& member) {
  auto own = cgroups_in(proc::text(member.thread, "cgroup"));
  const auto ours = cgroups_in(proc::text({::getpid()}, "cgroup"));
  const os::CgroupLayout layout = os::read_cgroup_layout();
  const bool v1 = layout.v1("memory") != nullptr;
  if (member.role == Role::Program)
    return v1 ? check_v1(faults, layout, own) : check_v2(faults, layout, own[""], ours.at(""));
  const std::string controller = v1 ? "memory" : "";
  faults.expect(own[controller].contains("/assay-") && own[controller] != ours.at(controller),
                "is in the engine's own cgroup");
}

}  // namespace assay::test
