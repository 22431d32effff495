// Between two runs: nothing that the last one could have left is there for the next, or the box says it is odd.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

bool same_time(const timespec& a, const timespec& b) noexcept {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

// A tmpfs whose free space, free inodes and root times are those of the moment it was mounted has not been written to:
// every change of content, mode, owner or attribute moves one of them, and reads move none (noatime).
bool is_untouched(const Place& place) noexcept {
  struct statfs space {};
  struct stat root {};
  if (place.resized) return false;
  if (call(__NR_statfs, address(place.path), address(&space)) < 0) return false;
  if (call(__NR_newfstatat, AT_FDCWD, address(place.path), address(&root), AT_SYMLINK_NOFOLLOW) < 0) return false;
  return space.f_bfree == place.fresh_space.f_bfree && space.f_ffree == place.fresh_space.f_ffree &&
         root.st_mode == place.fresh_root.st_mode && root.st_uid == place.fresh_root.st_uid &&
         root.st_gid == place.fresh_root.st_gid && same_time(root.st_ctim, place.fresh_root.st_ctim) &&
         same_time(root.st_mtim, place.fresh_root.st_mtim) && same_time(root.st_atim, place.fresh_root.st_atim);
}

void clean_places() noexcept {
  for (unsigned i = 0; i < state.place_count; ++i) {
    Place& place = state.places[i];
    if (is_untouched(place)) continue;
    call(__NR_umount2, address(place.path), MNT_DETACH);
    if (!mount_place(place, place.options)) state.odd = true;
  }
}

int open_below(int directory, const char* name, int flags) noexcept {
  const long fd = call(__NR_openat, directory, address(name), flags | O_CLOEXEC | O_NOFOLLOW);
  return fd < 0 ? -1 : lift(static_cast<int>(fd));
}

constexpr const char* kLeafName[kLeaves] = {"a", "b"};

void close_all(int* fds, unsigned count) noexcept {
  for (unsigned i = 0; i < count; ++i) {
    if (fds[i] >= 0) close_fd(fds[i]);
    fds[i] = -1;
  }
}

void open_leaf_file(int directory, LeafFile which, const char* name, int flags) noexcept {
  const auto index = static_cast<unsigned>(which);
  state.leaf_file[index] = open_below(directory, name, flags);
  if (state.leaf_file[index] >= 0) state.renewed |= 1U << index;
}

long read_number(int directory, const char* name) noexcept {
  const int fd = open_below(directory, name, O_RDONLY);
  if (fd < 0) return -1;
  char text[24];
  const long got = call(__NR_read, fd, address(text), sizeof text);
  close_fd(fd);
  long value = 0;
  for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
    value = value * 10 + (text[i] - '0');
  return value;
}

// V1: pids.peak cannot be reset, so a leaf that held more than init and one program is made anew. The directory
// was handed to the box's root by the warden; its limit above is the warden's.
void renew_pids_v1(unsigned used) noexcept {
  if (state.box_dir < 0) return;
  const int old = open_below(state.box_dir, kLeafName[used], O_PATH | O_DIRECTORY);
  const bool fresh = old >= 0 && read_number(old, "pids.peak") <= 2;
  if (old >= 0) close_fd(old);
  if (fresh) return;
  call(__NR_unlinkat, state.box_dir, address(kLeafName[used]), AT_REMOVEDIR);
  if (call(__NR_mkdirat, state.box_dir, address(kLeafName[used]), 0755) < 0) {
    state.odd = true;
    return;
  }
  const int leaf = open_below(state.box_dir, kLeafName[used], O_PATH | O_DIRECTORY);
  const unsigned pids = state.plan->groups - 1;  // by convention the last hierarchy, see warden/meters.cc
  close_fd(state.leaf_tasks[used][pids]);
  state.leaf_tasks[used][pids] = open_below(leaf, "tasks", O_WRONLY);
  open_leaf_file(leaf, LeafFile::ProcessesLimit, "pids.max", O_RDWR);
  open_leaf_file(leaf, LeafFile::ProcessesPeak, "pids.peak", O_RDONLY);
  open_leaf_file(leaf, LeafFile::ProcessesEvents, "pids.events", O_RDONLY);
  close_fd(leaf);
  state.renewed_leaf = used;
  if (state.leaf_tasks[used][pids] < 0) state.odd = true;
}

// V2: every run has a new leaf. A killed one could not be entered again, and memory.peak cannot be reset before 6.12.
void renew_leaf_v2() noexcept {
  const unsigned next = state.leaf;
  if (state.leaf_dir >= 0) close_fd(state.leaf_dir);
  if (state.cpu_meter[next] >= 0) close_fd(state.cpu_meter[next]);
  for (const char* name : kLeafName)
    call(__NR_unlinkat, state.box_dir, address(name), AT_REMOVEDIR);
  if (call(__NR_mkdirat, state.box_dir, address(kLeafName[next]), 0755) < 0) state.odd = true;
  state.leaf_dir = open_below(state.box_dir, kLeafName[next], O_RDONLY | O_DIRECTORY);
  if (state.leaf_dir < 0) {
    state.odd = true;
    return;
  }
  open_leaf_file(state.leaf_dir, LeafFile::CpuUsage, "cpu.stat", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::MemoryPeak, "memory.peak", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::MemoryNow, "memory.current", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::MemoryLimit, "memory.max", O_RDWR);
  open_leaf_file(state.leaf_dir, LeafFile::SwapLimit, "memory.swap.max", O_RDWR);
  open_leaf_file(state.leaf_dir, LeafFile::MemoryEvents, "memory.events", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::ProcessesLimit, "pids.max", O_RDWR);
  open_leaf_file(state.leaf_dir, LeafFile::ProcessesPeak, "pids.peak", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::ProcessesEvents, "pids.events", O_RDONLY);
  open_leaf_file(state.leaf_dir, LeafFile::Freeze, "cgroup.freeze", O_RDWR);
  state.cpu_meter[next] = open_below(state.leaf_dir, "cpu.stat", O_RDONLY);
  const int group = open_below(state.leaf_dir, "memory.oom.group", O_WRONLY);
  if (group >= 0) {
    call(__NR_write, group, address("1"), 1);
    close_fd(group);
  }
  state.renewed_leaf = next;
}

}  // namespace

void renew_leaf() noexcept {
  const unsigned used = state.leaf;
  state.renewed = 0;
  state.leaf = (used + 1) % state.plan->leaves;
  close_all(state.leaf_file, kLeafFiles);
  if (state.plan->meters == Meters::V1) renew_pids_v1(used);
  if (state.plan->meters == Meters::V2) renew_leaf_v2();
}

void clean() noexcept {
  if (state.plan->isolation == Isolation::None) {
    state.odd = true;  // nothing was isolated, so nothing is known to be clean
    return;
  }
  if (state.plan->pid_proc != 0) call(__NR_umount2, address("/proc"), MNT_DETACH);
  clean_places();
  // SysV shared memory, semaphores and queues, and their id counters, end with their namespace.
  if (call(__NR_unshare, CLONE_NEWIPC) < 0) state.odd = true;
  renew_leaf();
}

}  // namespace assay::sandbox::inside
