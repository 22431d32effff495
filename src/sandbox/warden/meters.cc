#include "sandbox/warden/meters.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "os/file.h"

namespace assay::sandbox::warden {
namespace {

using inside::LeafFile;

struct MeterFile {
  LeafFile which;
  const char* controller;
  const char* name;
  int flags;
};

// V1. The order of controllers is the order of the plan's hierarchies; pids is last, because the
// launcher renews it.
constexpr std::array kControllersV1{"memory", "cpuacct", "freezer", "pids"};
constexpr std::array kFilesV1{
    MeterFile{LeafFile::CpuUsage, "cpuacct", "cpuacct.usage", O_RDWR},
    MeterFile{LeafFile::CpuUser, "cpuacct", "cpuacct.usage_user", O_RDONLY},
    MeterFile{LeafFile::CpuSystem, "cpuacct", "cpuacct.usage_sys", O_RDONLY},
    MeterFile{LeafFile::MemoryPeak, "memory", "memory.max_usage_in_bytes", O_RDWR},
    MeterFile{LeafFile::MemoryNow, "memory", "memory.usage_in_bytes", O_RDONLY},
    MeterFile{LeafFile::MemoryLimit, "memory", "memory.limit_in_bytes", O_RDWR},
    MeterFile{LeafFile::SwapLimit, "memory", "memory.memsw.limit_in_bytes", O_RDWR},
    MeterFile{LeafFile::MemoryEvents, "memory", "memory.oom_control", O_RDONLY},
    MeterFile{LeafFile::ProcessesLimit, "pids", "pids.max", O_RDWR},
    MeterFile{LeafFile::ProcessesPeak, "pids", "pids.peak", O_RDONLY},
    MeterFile{LeafFile::ProcessesEvents, "pids", "pids.events", O_RDONLY},
    MeterFile{LeafFile::Freeze, "freezer", "freezer.state", O_RDWR},
};

std::string directory_name(const std::string& instance) {
  return "assay-" + instance;
}

std::size_t index_of(std::string_view controller) {
  return static_cast<std::size_t>(std::ranges::find(kControllersV1, controller) -
                                  kControllersV1.begin());
}

constexpr std::array kLeafName{"a", "b"};

Status open_leaf_files_v1(BoxMeters& box, unsigned leaf, std::span<const std::string> leaf_paths) {
  for (const MeterFile& file : kFilesV1) {
    const std::string path = leaf_paths[index_of(file.controller)] + "/" + file.name;
    auto fd = os::open(path, file.flags);
    if (!fd)
      continue;  // swap accounting and pids.peak depend on the kernel; the daemon copes without
    box.leaf_files[leaf].push_back(std::move(*fd));
    box.leaf_mask[leaf] |= 1U << static_cast<unsigned>(file.which);
  }
  return {};
}

}  // namespace

Status Meters::take_v1(const os::CgroupLayout& layout, const std::string& instance) {
  std::vector<os::Cgroup> roots;
  for (const char* controller : kControllersV1) {
    const os::Hierarchy* hierarchy = layout.v1(controller);
    if (hierarchy == nullptr)
      return invalid(std::string("no cgroup v1 hierarchy for ") + controller);
    for (const char* other : kControllersV1)
      if (other != controller && layout.v1(other) == hierarchy)
        return invalid(std::string(controller) + " and " + other +
                       " share one cgroup v1 hierarchy");
    roots.push_back(TRY(os::Cgroup::make(hierarchy->mount + "/" + directory_name(instance))));
  }
  roots_ = std::move(roots);
  memory_group_ = static_cast<std::uint32_t>(index_of("memory"));
  cpu_group_ = static_cast<std::uint32_t>(index_of("cpuacct"));
  kind_ = inside::Meters::V1;
  return {};
}

namespace {

constexpr std::string_view kEnableV2 = "+cpu +memory +pids";
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
  const std::string base = TRY(usable_base(unified));
  if (auto enabled = os::write_whole(base + "/cgroup.subtree_control", kEnableV2); !enabled) {
    if (enabled.error().code != EBUSY) return enabled;
    TRY_STATUS(vacate(base));
    TRY_STATUS(os::write_whole(base + "/cgroup.subtree_control", kEnableV2));
  }
  os::Cgroup root = TRY(os::Cgroup::make(base + "/" + directory_name(instance)));
  TRY_STATUS(root.write("cgroup.subtree_control", kEnableV2));
  roots_.clear();
  roots_.push_back(std::move(root));
  kind_ = inside::Meters::V2;
  return {};
}

Meters Meters::probe(const std::string& instance) {
  Meters meters;
  const os::CgroupLayout layout = os::read_cgroup_layout();
  const os::Hierarchy* unified = layout.v2();
  const bool v2_has_memory =
      unified != nullptr &&
      std::ranges::find(unified->controllers, "memory") != unified->controllers.end();
  const Status taken =
      v2_has_memory ? meters.take_v2(*unified, instance) : meters.take_v1(layout, instance);
  if (!taken) meters.missing_.push_back("cgroups: " + describe(taken.error()));
  return meters;
}

Result<BoxMeters> Meters::make_box_v1(const std::string& name, unsigned leaves, unsigned user,
                                      unsigned group) const {
  BoxMeters box;
  std::array<std::vector<std::string>, inside::kLeaves> leaf_paths;
  for (const os::Cgroup& root : roots_) {
    os::Cgroup directory = TRY(os::Cgroup::make(root.path() + "/" + name));
    box.for_launcher.push_back(TRY(directory.open("tasks", O_WRONLY)));
    for (unsigned leaf = 0; leaf < leaves; ++leaf) {
      const os::Cgroup& made =
          box.cgroups.emplace_back(TRY(os::Cgroup::make(directory.path() + "/" + kLeafName[leaf])));
      box.for_launcher.push_back(TRY(made.open("tasks", O_WRONLY)));
      leaf_paths[leaf].push_back(made.path());
    }
    box.cgroups.push_back(std::move(directory));
  }
  for (unsigned leaf = 0; leaf < leaves; ++leaf) {
    TRY_STATUS(open_leaf_files_v1(box, leaf, leaf_paths[leaf]));
    box.for_launcher.push_back(
        TRY(os::open(leaf_paths[leaf][cpu_group_] + "/cpuacct.usage", O_RDONLY)));
  }
  // The box's directory in the pids hierarchy belongs to the box's root, which may renew the leaves
  // below it. Nothing in there limits anybody but the box itself.
  const os::Cgroup& pids = box.cgroups.back();
  TRY_STATUS(pids.give_to(user, group));
  box.for_launcher.push_back(TRY(os::open(pids.path(), O_RDONLY | O_DIRECTORY)));
  return box;
}

Result<BoxMeters> Meters::make_box_v2(const std::string& name, unsigned user,
                                      unsigned group) const {
  BoxMeters box;
  os::Cgroup directory = TRY(os::Cgroup::make(roots_.front().path() + "/" + name));
  TRY_STATUS(directory.write("cgroup.subtree_control", kEnableV2));
  os::Cgroup home = TRY(os::Cgroup::make(directory.path() + "/launcher"));
  TRY_STATUS(directory.give_to(user, group));
  TRY_STATUS(home.give_to(user, group));
  box.start_in = TRY(os::open(home.path(), O_RDONLY | O_DIRECTORY));
  box.for_launcher.push_back(TRY(os::open(directory.path(), O_RDONLY | O_DIRECTORY)));
  box.cgroups.push_back(std::move(home));
  box.cgroups.push_back(std::move(directory));
  return box;
}

Result<BoxMeters> Meters::make_box(unsigned number, unsigned leaves, unsigned user,
                                   unsigned group) const {
  const std::string name = "box-" + std::to_string(number);
  switch (kind_) {
    case inside::Meters::V1:
      return make_box_v1(name, leaves, user, group);
    case inside::Meters::V2:
      return make_box_v2(name, user, group);
    case inside::Meters::None:
      break;
  }
  return BoxMeters{};
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
