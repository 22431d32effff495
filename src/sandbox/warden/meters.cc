#include "sandbox/warden/meters.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "os/directory.h"
#include "os/file.h"

namespace assay::sandbox::warden {
namespace {

std::string directory_name(const std::string& instance) {
  return "assay-" + instance;
}

}  // namespace

std::size_t Meters::index_of(std::string_view controller) const {
  return static_cast<std::size_t>(std::ranges::find(controllers_, controller) -
                                  controllers_.begin());
}

// The order of controllers is the order of the plan's hierarchies; pids is last, because the
// launcher renews it.
Status Meters::take_v1(const os::CgroupLayout& layout, const std::string& instance,
                       bool cpu_quota) {
  controllers_ = {"memory", "cpuacct", "freezer"};
  const os::Hierarchy* cpu = layout.v1("cpu");
  const bool apart = cpu != nullptr && cpu != layout.v1("cpuacct");
  if (cpu_quota && apart) controllers_.emplace_back("cpu");
  controllers_.emplace_back("pids");
  std::vector<os::Cgroup> roots;
  for (const std::string_view controller : controllers_) {
    const os::Hierarchy* hierarchy = layout.v1(controller);
    if (hierarchy == nullptr)
      return invalid("no cgroup v1 hierarchy for " + std::string(controller));
    for (const std::string_view other : controllers_)
      if (other != controller && layout.v1(other) == hierarchy)
        return invalid(std::string(controller) + " and " + std::string(other) +
                       " share one cgroup v1 hierarchy");
    roots.push_back(TRY(os::Cgroup::make(hierarchy->mount + "/" + directory_name(instance))));
  }
  roots_ = std::move(roots);
  if (apart && !cpu_quota && cpu->controllers.size() == 1) {
    sharing_ = TRY(os::Cgroup::make(cpu->mount + "/" + directory_name(instance)));
    // As many parts as boxes can run at once: the host's other processes have one for each session.
    TRY_STATUS(
        sharing_.write("cpu.shares", std::to_string(1024 * ::sysconf(_SC_NPROCESSORS_ONLN))));
  }
  memory_group_ = static_cast<std::uint32_t>(index_of("memory"));
  cpu_group_ = static_cast<std::uint32_t>(index_of("cpuacct"));
  kind_ = inside::Meters::V1;
  return {};
}

namespace {

constexpr std::string_view kDisableV2 = "-cpu -memory -pids";
constexpr std::string_view kOthers = "/assay-others";

// Below the real root any cgroup that holds processes cannot hand controllers down. In a container,
// or in a delegated subtree, everything there first moves into a leaf of its own.
Status vacate(const std::string& base) {
  const std::string leaf = base + std::string(kOthers);
  TRY_STATUS(os::make_directory(leaf, 0755));
  for (int round = 0; round < 20; ++round) {
    const std::string members = TRY(os::read_whole(base + "/cgroup.procs"));
    if (members.empty()) return {};
    std::istringstream lines(members);
    for (std::string pid; std::getline(lines, pid);)
      if (const auto moved = os::write_whole(leaf + "/cgroup.procs", pid);
          !moved && moved.error().code != ESRCH)
        return moved;
  }
  return invalid("processes keep appearing in '" + base + "'");
}

// Where this engine may make its directory: the real root of the hierarchy for root, else the own
// cgroup if it is ours.
Result<std::string> usable_base(const os::Hierarchy& unified) {
  const bool real_root = !os::exists(unified.mount + "/cgroup.type");
  if (real_root && ::geteuid() == 0) return unified.mount;
  std::string own = os::own_cgroup_v2();
  if (own.ends_with(kOthers))
    own.resize(own.size() - kOthers.size());  // an engine before us made it
  std::string base = unified.mount + (own == "/" ? "" : own);
  if (::access((base + "/cgroup.subtree_control").c_str(), W_OK) < 0 ||
      ::access(base.c_str(), W_OK) < 0)
    return system_error("own cgroup '" + base + "' is not delegated to us");
  return base;
}

}  // namespace

Status Meters::take_v2(const os::Hierarchy& unified, const std::string& instance) {
  if (unified.out_of_reach)
    return invalid(
        "'" + unified.mount +
        "' is the host's, and this is a container with a cgroup namespace of its own: it needs "
        "its own cgroups, writable (Docker: --security-opt writable-cgroups=true, Podman: "
        "--security-opt unmask=/sys/fs/cgroup)");
  const std::string base = TRY(usable_base(unified));
  if (auto enabled = os::write_whole(base + "/cgroup.subtree_control", kEnableV2); !enabled) {
    if (enabled.error().code != EBUSY) return enabled;
    TRY_STATUS(vacate(base));
    TRY_STATUS(os::write_whole(base + "/cgroup.subtree_control", kEnableV2));
  }
  os::Cgroup root = TRY(os::Cgroup::make(base + "/" + directory_name(instance)));
  TRY_STATUS(root.write("cgroup.subtree_control", kEnableV2));
  base_ = base;
  roots_.clear();
  roots_.push_back(std::move(root));
  kind_ = inside::Meters::V2;
  return {};
}

Meters Meters::probe(const std::string& instance, bool cpu_quota) {
  Meters meters;
  const os::CgroupLayout layout = os::read_cgroup_layout();
  const os::Hierarchy* unified = layout.v2();
  const bool v2_has_memory =
      unified != nullptr &&
      std::ranges::find(unified->controllers, "memory") != unified->controllers.end();
  const Status taken = v2_has_memory ? meters.take_v2(*unified, instance)
                                     : meters.take_v1(layout, instance, cpu_quota);
  if (!taken) meters.missing_.push_back("cgroups: " + describe(taken.error()));
  return meters;
}

namespace {

// The reverse of vacate(): controllers off, then everybody back.
void move_back(const std::string& base) {
  const std::string leaf = base + std::string(kOthers);
  if (!os::write_whole(base + "/cgroup.subtree_control", kDisableV2)) return;
  std::istringstream lines(os::read_whole(leaf + "/cgroup.procs").value_or(""));
  for (std::string pid; std::getline(lines, pid);)
    (void)os::write_whole(base + "/cgroup.procs", pid);
  os::remove_cgroup(leaf);
}

bool is_last_engine(const std::string& base) {
  const auto names = os::names_in(base);
  return names && std::ranges::none_of(*names, [](const std::string& name) {
           return name.starts_with("assay-") && "/" + name != kOthers;
         });
}

}  // namespace

void Meters::release() {
  roots_.clear();
  sharing_ = {};
  if (!base_.empty() && os::exists(base_ + std::string(kOthers)) && is_last_engine(base_))
    move_back(base_);
  base_.clear();
}

void Meters::remove_instance(const std::string& instance) {
  for (const os::Hierarchy& hierarchy : os::read_cgroup_layout().hierarchies) {
    os::remove_cgroup_tree(hierarchy.mount + "/" + directory_name(instance));
    if (!hierarchy.v2) continue;
    std::string own = os::own_cgroup_v2();
    if (own.ends_with(kOthers)) own.resize(own.size() - kOthers.size());
    if (own.size() > 1)
      os::remove_cgroup_tree(hierarchy.mount + own + "/" + directory_name(instance));
  }
}

}  // namespace assay::sandbox::warden
