// The cgroup of the next run. V1 reuses two leaves in turn, or the same one while init stays in it,
// and makes one anew when what it cannot reset would show; V2 makes a new leaf for every run. Both
// happen in directories that the warden gave to the box's root; the caps above are the warden's.
#include <fcntl.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

constexpr const char* kLeafName[kLeaves] = {"a", "b"};
constexpr std::uint64_t kResidue =
    1U << 20;  // more than this is page cache that stays, not a meter that drains

struct LeafFileName {
  LeafFile which;
  const char* name;
  int flags;
};
constexpr LeafFileName kPidsFiles[] = {
    {LeafFile::ProcessesLimit, "pids.max", O_RDWR},
    {LeafFile::ProcessesPeak, "pids.peak", O_RDONLY},
    {LeafFile::ProcessesEvents, "pids.events", O_RDONLY},
};
constexpr LeafFileName kMemoryFilesV1[] = {
    {LeafFile::MemoryPeak, "memory.max_usage_in_bytes", O_RDWR},
    {LeafFile::MemoryNow, "memory.usage_in_bytes", O_RDONLY},
    {LeafFile::MemoryLimit, "memory.limit_in_bytes", O_RDWR},
    {LeafFile::SwapLimit, "memory.memsw.limit_in_bytes", O_RDWR},
    {LeafFile::MemoryEvents, "memory.oom_control", O_RDONLY},
    {LeafFile::MemoryStat, "memory.stat", O_RDONLY},
};
constexpr LeafFileName kOtherFilesV2[] = {
    {LeafFile::CpuUsage, "cpu.stat", O_RDONLY},
    {LeafFile::MemoryPeak, "memory.peak", O_RDWR},
    {LeafFile::MemoryNow, "memory.current", O_RDONLY},
    {LeafFile::MemoryLimit, "memory.max", O_RDWR},
    {LeafFile::SwapLimit, "memory.swap.max", O_RDWR},
    {LeafFile::MemoryEvents, "memory.events", O_RDONLY},
    {LeafFile::Freeze, "cgroup.freeze", O_RDWR},
    {LeafFile::CpuQuota, "cpu.max", O_RDWR},
    {LeafFile::MemoryStat, "memory.stat", O_RDONLY},
};

// Negative: there is none. If that is not because this kernel has no such file, the box is odd: a
// meter that is missing is missed by nobody before a verdict is wrong.
int open_below(int directory, const char* name, int flags) noexcept {
  const long found = call(__NR_openat, directory, address(name), flags | O_CLOEXEC | O_NOFOLLOW);
  const long fd = found < 0 ? found : lift(static_cast<int>(found));
  if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM || fd == -EIO || fd == -EINTR)
    state.odd = true;
  return fd < 0 ? -1 : static_cast<int>(fd);
}

void replace(int& fd, int with) noexcept {
  if (fd >= 0) close_fd(fd);
  fd = with;
}

// memory.peak can be written, which restarts it, since Linux 6.12.
int open_leaf_file(int directory, const LeafFileName& file) noexcept {
  const int fd = open_below(directory, file.name, file.flags);
  if (fd >= 0 || file.which != LeafFile::MemoryPeak) return fd;
  return open_below(directory, file.name, O_RDONLY);
}

// Opened here, sent to the daemon with Ready, closed at the next renewal. What this kernel lacks is
// left out.
void open_files(int directory, const LeafFileName* files, unsigned count) noexcept {
  for (unsigned i = 0; i < count; ++i) {
    const auto index = static_cast<unsigned>(files[i].which);
    replace(state.leaf_file[index], open_leaf_file(directory, files[i]));
    if (state.leaf_file[index] >= 0) state.renewed |= 1U << index;
  }
}

// An empty directory in place of the old one; what was charged to that goes up to the box. -1: the
// box is odd now.
int remake(int box, const char* name) noexcept {
  call(__NR_unlinkat, box, address(name), AT_REMOVEDIR);
  const int leaf = call(__NR_mkdirat, box, address(name), 0755) < 0
                       ? -1
                       : open_below(box, name, O_RDONLY | O_DIRECTORY);
  if (leaf < 0) state.odd = true;
  return leaf;
}

struct RenewalV1 {
  int box;            // the box's directory in this hierarchy
  unsigned group;     // of the plan's hierarchies
  const char* probe;  // the file that tells
  int* probe_fd;
  std::uint64_t most;
};

void renew_v1(unsigned next, const RenewalV1& r, const LeafFileName* files,
              unsigned count) noexcept {
  if (r.box < 0) return;
  if (*r.probe_fd < 0) {
    const int leaf = open_below(r.box, kLeafName[next], O_RDONLY | O_DIRECTORY);
    if (leaf < 0) return;
    *r.probe_fd = open_below(leaf, r.probe, O_RDONLY);
    close_fd(leaf);
  }
  if (read_number(*r.probe_fd) <= r.most) return;
  const int leaf = remake(r.box, kLeafName[next]);
  if (leaf < 0) return;
  replace(state.leaf_tasks[next][r.group], open_below(leaf, "tasks", O_WRONLY));
  replace(*r.probe_fd, open_below(leaf, r.probe, O_RDONLY));
  open_files(leaf, files, count);
  close_fd(leaf);
  if (state.leaf_tasks[next][r.group] < 0) state.odd = true;
}

// pids.peak cannot be reset: a leaf that held more than init and one program is made anew. So is
// one that still holds page cache: the next run's limit and peak would be off by it.
void renew_leaf_v1(unsigned next) noexcept {
  const BoxPlan& plan = *state.plan;
  renew_v1(next, {state.pids_dir, plan.groups - 1, "pids.peak", &state.pids_peak[next], 2},
           kPidsFiles, 3);
  renew_v1(next,
           {state.memory_dir, plan.memory_group, "memory.usage_in_bytes", &state.memory_now[next],
            kResidue},
           kMemoryFilesV1, sizeof kMemoryFilesV1 / sizeof kMemoryFilesV1[0]);
}

// A killed leaf could not be entered again, and memory.peak cannot be reset before 6.12. The leaf
// of the run that has just ended stays: the daemon may not have read its meters yet, and those of a
// removed cgroup cannot be read.
void renew_leaf_v2(unsigned next) noexcept {
  replace(state.leaf_dir, remake(state.box_dir, kLeafName[next]));
  if (state.leaf_dir < 0) return;
  open_files(state.leaf_dir, kOtherFilesV2, sizeof kOtherFilesV2 / sizeof kOtherFilesV2[0]);
  open_files(state.leaf_dir, kPidsFiles, 3);
  replace(state.cpu_meter[next], open_below(state.leaf_dir, "cpu.stat", O_RDONLY));
  const int group = open_below(state.leaf_dir, "memory.oom.group", O_WRONLY);
  if (group < 0) return;
  call(__NR_write, group, address("1"), 1);
  close_fd(group);
}

}  // namespace

std::uint64_t read_number(int fd) noexcept {
  char text[24];
  const long got = fd < 0 ? -1 : call(__NR_pread64, fd, address(text), sizeof text, 0);
  std::uint64_t value = 0;
  for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
    value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
  return value;
}

// A fresh init has all of the launcher's descriptors. One that stayed has not those of a leaf that
// was made since.
void enter_leaf() noexcept {
  if (!state.stayed) {
    state.entered_dir = state.leaf_dir;
    state.entered_meter = state.cpu_meter[state.leaf];
  } else if (state.plan->meters == Meters::V2) {
    replace(state.entered_dir,
            open_below(state.box_dir, kLeafName[state.leaf], O_RDONLY | O_DIRECTORY));
    replace(state.entered_meter, open_below(state.entered_dir, "cpu.stat", O_RDONLY));
  }
}

void renew_leaf(bool init_stays) noexcept {
  state.renewed = 0;
  for (int& fd : state.leaf_file)
    replace(fd, -1);
  if (init_stays && state.plan->meters == Meters::V1) return;
  state.leaf = (state.leaf + 1) % state.plan->leaves;
  state.renewed_leaf = state.leaf;
  if (state.plan->meters == Meters::V1) renew_leaf_v1(state.leaf);
  if (state.plan->meters == Meters::V2) renew_leaf_v2(state.leaf);
}

}  // namespace assay::sandbox::inside
