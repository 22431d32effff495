// Between two runs: nothing that the last one could have left is there for the next, or the box
// says it is odd.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/utsname.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

bool same_time(const timespec& a, const timespec& b) noexcept {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool is_earlier(const timespec& a, const timespec& b) noexcept {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// Before Linux 6.13 files have the time of the last tick of the clock, 1 to 10 ms ago. In the tick
// in which a place was mounted, something could be made and removed, and only the next inode number
// would tell: the next run's first file.
bool may_hide_changes(const Place& place) noexcept {
  return state.coarse_times && !is_earlier(place.fresh_root.st_ctim, state.began);
}

// Anything that is not as it should be counts as old.
bool has_coarse_times() noexcept {
  utsname names{};
  if (call(__NR_uname, address(&names)) < 0) return true;
  unsigned version[2]{};
  const char* text = names.release;
  for (unsigned& part : version) {
    while (*text >= '0' && *text <= '9')
      part = part * 10 + static_cast<unsigned>(*text++ - '0');
    if (*text == '.') ++text;
  }
  return version[0] < 6 || (version[0] == 6 && version[1] < 13);
}

// A tmpfs whose free space, free inodes and root times are those of the moment it was mounted has
// not been written to: every change of content, mode, owner or attribute moves one of them, and
// reads move none (noatime).
bool is_untouched(const Place& place) noexcept {
  struct statfs space{};
  struct stat root{};
  if (place.resized || may_hide_changes(place)) return false;
  // Clocks of older kernels tick every 4 ms, so times alone could miss an attribute (a default ACL,
  // say) set right away.
  if (call(__NR_listxattr, address(place.path), 0, 0) > 0) return false;
  if (call(__NR_statfs, address(place.path), address(&space)) < 0) return false;
  if (call(__NR_newfstatat, AT_FDCWD, address(place.path), address(&root), AT_SYMLINK_NOFOLLOW) < 0)
    return false;
  return space.f_bfree == place.fresh_space.f_bfree && space.f_ffree == place.fresh_space.f_ffree &&
         root.st_mode == place.fresh_root.st_mode && root.st_uid == place.fresh_root.st_uid &&
         root.st_gid == place.fresh_root.st_gid &&
         same_time(root.st_ctim, place.fresh_root.st_ctim) &&
         same_time(root.st_mtim, place.fresh_root.st_mtim) &&
         same_time(root.st_atim, place.fresh_root.st_atim);
}

void clean_places() noexcept {
  for (unsigned i = 0; i < state.place_count; ++i) {
    Place& place = state.places[i];
    if (is_untouched(place)) continue;
    call(__NR_umount2, address(place.path), MNT_DETACH);
    if (!mount_place(place, place.options)) state.odd = true;
  }
}

// A socket that was sent into a queue of its own outlives its program until the kernel looks for
// such loops, and with it a name that the next run could find. Our own sockets belong to the host's
// network namespace and are not counted: the file begins with "sockets: used 0".
bool has_sockets() noexcept {
  constexpr char kNone[] = "sockets: used 0\n";
  char text[sizeof kNone - 1];
  const long got = call(__NR_pread64, state.sockets_fd, address(text), sizeof text, 0);
  if (got != static_cast<long>(sizeof text)) return true;
  for (unsigned i = 0; i < sizeof text; ++i)
    if (text[i] != kNone[i]) return true;
  return false;
}

// SysV shared memory, semaphores and queues, POSIX queues and the id counters end with their
// namespace. Where the filter tells of every call that makes one, and told of none, there is
// nothing.
void renew_ipc() noexcept {
  if (state.knows_ipc && !state.ipc_used) return;
  if (call(__NR_unshare, CLONE_NEWIPC) < 0) state.odd = true;
  state.ipc_used = false;
}

// The run's own, if init came so far: below it is the box's.
void clear_proc() noexcept {
  if (!state.proc_mounted) return;
  state.proc_mounted = false;
  if (call(__NR_umount2, address("/proc"), MNT_DETACH) < 0) state.odd = true;
}

}  // namespace

void open_counters() noexcept {
  const auto open = [](const char* path) {
    return lift(static_cast<int>(call(__NR_openat, AT_FDCWD, address(path), O_RDONLY | O_CLOEXEC)));
  };
  state.sockets_fd = open("/proc/net/sockstat");
  state.last_pid_fd = open("/proc/sys/kernel/ns_last_pid");
  state.coarse_times = has_coarse_times();
}

void clean(bool init_stays) noexcept {
  if (state.plan->isolation == Isolation::None) {
    state.odd = true;  // nothing was isolated, so nothing is known to be clean
    return;
  }
  forget_work_directory();
  if (!init_stays) clear_proc();
  if (has_sockets()) state.odd = true;
  clean_places();
  renew_ipc();
  renew_leaf(init_stays);
}

}  // namespace assay::sandbox::inside
