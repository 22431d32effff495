// The cgroups of one box. See meters.h for those of the engine.
#include <fcntl.h>
#include <unistd.h>

#include <span>

#include "os/file.h"
#include "sandbox/host_failure.h"
#include "sandbox/warden/meters.h"

namespace assay::sandbox::warden {
namespace {

using inside::LeafFile;

struct MeterFile {
  LeafFile which;
  const char* controller;
  const char* name;
  int flags;
};

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
    // Where cpu and cpuacct share a hierarchy, as systemd mounts them; or where it was asked for.
    MeterFile{LeafFile::CpuQuota, "cpuacct", "cpu.cfs_quota_us", O_RDWR},
    MeterFile{LeafFile::CpuQuota, "cpu", "cpu.cfs_quota_us", O_RDWR},
    MeterFile{LeafFile::MemoryStat, "memory", "memory.stat", O_RDONLY},
};

constexpr std::array kLeafName{"a", "b"};

std::string name_of(const MeterRequest& request) {
  return "box-" + std::to_string(request.number);
}

// A box can at most have this much, whatever the daemon asks for its runs.
std::string memory_cap(const Caps& caps) {
  if (caps.memory) return std::to_string(caps.memory->count);
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return std::to_string(pages / 10 * 9 * 4096);
}

std::string processes_cap(const Caps& caps) {
  return caps.processes ? std::to_string(*caps.processes) : "max";
}

}  // namespace

void BoxMeters::thaw() const {
  for (const std::string& path : freezable)
    os::thaw_cgroup(path);
}

void BoxMeters::remove_empty() {
  for (os::Cgroup& cgroup : cgroups)
    cgroup.remove_if_empty();
}

// The box that is alone in its engine needs no directory of its own: the engine's is as good, and
// each one costs a cold start 40 us to make and 30 to remove.
std::string Meters::directory_v1(const os::Cgroup& root, const MeterRequest& request) {
  return request.leaves == 1 ? root.path() : root.path() + "/" + name_of(request);
}

// Swap accounting and pids.peak depend on the kernel; the daemon copes without. A meter that is
// there and could not be opened is missed by nobody before a verdict is wrong.
Status Meters::open_leaf_files_v1(BoxMeters& box, unsigned leaf,
                                  std::span<const std::string> leaf_paths) const {
  for (const MeterFile& file : kFilesV1) {
    const std::size_t group = index_of(file.controller);
    if (group == leaf_paths.size()) continue;
    auto fd = os::open(leaf_paths[group] + "/" + file.name, file.flags);
    if (!fd && (is_the_hosts(fd.error().code) || fd.error().code == ENOMEM))
      return std::unexpected(fd.error());
    if (!fd) continue;
    box.leaf_files[leaf].push_back(std::move(*fd));
    box.leaf_mask[leaf] |= 1U << static_cast<unsigned>(file.which);
  }
  return {};
}

Result<BoxMeters> Meters::make_box_v1(const MeterRequest& request) const {
  BoxMeters box;
  std::array<std::vector<std::string>, inside::kLeaves> leaf_paths;
  for (const os::Cgroup& root : roots_) {
    const std::string path = directory_v1(root, request);
    os::Cgroup directory;
    if (path != root.path()) directory = TRY(os::Cgroup::make(path));
    box.for_launcher.push_back(TRY(os::open(path + "/tasks", O_WRONLY)));
    for (unsigned leaf = 0; leaf < request.leaves; ++leaf) {
      const os::Cgroup& made =
          box.cgroups.emplace_back(TRY(os::Cgroup::make(path + "/" + kLeafName[leaf])));
      box.for_launcher.push_back(TRY(made.open("tasks", O_WRONLY)));
      leaf_paths[leaf].push_back(made.path());
    }
    box.cgroups.push_back(std::move(directory));
  }
  for (unsigned leaf = 0; leaf < request.leaves; ++leaf)
    box.freezable.push_back(leaf_paths[leaf][index_of("freezer")]);
  for (unsigned leaf = 0; leaf < request.leaves; ++leaf) {
    TRY_STATUS(open_leaf_files_v1(box, leaf, leaf_paths[leaf]));
    box.for_launcher.push_back(
        TRY(os::open(leaf_paths[leaf][cpu_group_] + "/cpuacct.usage", O_RDONLY)));
  }
  TRY_STATUS(cap_and_delegate_v1(request, box));
  TRY_STATUS(share_v1(request, box));
  return box;
}

// The last of the launcher's descriptors, if it is there.
Status Meters::share_v1(const MeterRequest& request, BoxMeters& box) const {
  if (sharing_.path().empty()) return {};
  const std::string path = directory_v1(sharing_, request);
  if (path != sharing_.path()) box.cgroups.push_back(TRY(os::Cgroup::make(path)));
  box.for_launcher.push_back(TRY(os::open(path + "/tasks", O_WRONLY)));
  return {};
}

// In the memory and the pids hierarchy the box's directory belongs to the box's root, which may
// renew the leaves below it. The caps in it stay ours.
Status Meters::cap_and_delegate_v1(const MeterRequest& request, BoxMeters& box) const {
  const std::string memory = directory_v1(roots_[index_of("memory")], request);
  const std::string pids = directory_v1(roots_[index_of("pids")], request);
  TRY_STATUS(os::write_whole(memory + "/memory.limit_in_bytes", memory_cap(request.caps)));
  TRY_STATUS(os::write_whole(pids + "/pids.max", processes_cap(request.caps)));
  if (request.leaves == 1) return {};  // for one run: there is no next leaf
  for (const std::string& path : {memory, pids}) {
    TRY_STATUS(os::give_cgroup(path, request.user, request.group));
    box.for_launcher.push_back(TRY(os::open(path, O_RDONLY | O_DIRECTORY)));
  }
  return {};
}

Result<BoxMeters> Meters::make_box_v2(const MeterRequest& request) const {
  BoxMeters box;
  os::Cgroup directory = TRY(os::Cgroup::make(roots_.front().path() + "/" + name_of(request)));
  TRY_STATUS(directory.write("cgroup.subtree_control", kEnableV2));
  TRY_STATUS(directory.write("memory.max", memory_cap(request.caps)));
  TRY_STATUS(directory.write("pids.max", processes_cap(request.caps)));
  os::Cgroup home = TRY(os::Cgroup::make(directory.path() + "/launcher"));
  TRY_STATUS(directory.give_to(request.user, request.group));
  TRY_STATUS(home.give_to(request.user, request.group));
  box.start_in = TRY(os::open(home.path(), O_RDONLY | O_DIRECTORY));
  box.for_launcher.push_back(TRY(os::open(directory.path(), O_RDONLY | O_DIRECTORY)));
  box.cgroups.push_back(std::move(home));
  box.cgroups.push_back(std::move(directory));
  return box;
}

Result<BoxMeters> Meters::make_box(const MeterRequest& request) const {
  switch (kind_) {
    case inside::Meters::V1:
      return make_box_v1(request);
    case inside::Meters::V2:
      return make_box_v2(request);
    case inside::Meters::None:
      break;
  }
  return BoxMeters{};
}

}  // namespace assay::sandbox::warden
