#include "sandbox/warden/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstdint>

#include "sandbox/inside/sys.h"

namespace assay::sandbox::inside {
std::uint64_t filter_key = 0;  // the warden runs under no filter of ours
}

namespace assay::sandbox::warden {
namespace {

using inside::address;
using inside::call;

// The child shares our memory until it execs: it only reads these, and the warden, which has one
// thread, waits with changing them until the launcher has answered.
LauncherStart child_start;
alignas(64) char child_stack[16 * 1024];
const char* const child_argv[] = {"assay-launcher", nullptr};
const char* const child_environment[] = {nullptr};

int warden_core = -1;

// Off the warden's core, if we were born on it and there is another: it goes on there.
void step_aside() noexcept {
  std::uint64_t all[16]{};
  unsigned here = 0;
  if (call(__NR_getcpu, address(&here)) < 0 || static_cast<int>(here) != warden_core) return;
  const long size = call(__NR_sched_getaffinity, 0, sizeof all, address(all));
  if (size <= 0 || here >= 1024) return;
  std::uint64_t others[16];
  for (unsigned i = 0; i < 16; ++i)
    others[i] = i == here / 64 ? all[i] & ~(1ULL << (here % 64)) : all[i];
  if (call(__NR_sched_setaffinity, 0, size, address(others)) >=
      0)  // refused when there is no other
    call(__NR_sched_setaffinity, 0, size, address(all));
}

[[noreturn]] void become_launcher() noexcept {
  char go = 0;
  if (call(__NR_read, child_start.go, address(&go), 1) != 1) inside::leave(1);
  // Root of the box, which the host knows by an id of the box's own; without this exec would drop
  // the capabilities. Without isolation, nobody, if we are root.
  const bool isolated = child_start.namespaces != 0;
  const long id = isolated ? 0 : kNobody;
  if (isolated || call(__NR_geteuid) == 0) {
    if (!isolated && call(__NR_setgroups, 0, 0) < 0) inside::leave(1);
    if (call(__NR_setresgid, id, id, id) < 0 || call(__NR_setresuid, id, id, id) < 0)
      inside::leave(1);
  }
  if (child_start.core < 0) step_aside();
  if (child_start.later != 0 && call(__NR_unshare, static_cast<long>(child_start.later)) < 0)
    inside::leave(1);
  if (child_start.core >= 0) {
    std::uint64_t cores[16]{};
    cores[child_start.core / 64] = 1ULL << (child_start.core % 64);
    call(__NR_sched_setaffinity, 0, sizeof cores, address(cores));
  }
  std::uint64_t no_signals = 0;
  call(__NR_rt_sigprocmask, SIG_SETMASK, address(&no_signals), 0, sizeof no_signals);
  // The image must stay open for execveat but closed afterwards; 3 is all that the launcher
  // inherits.
  call(__NR_dup3, child_start.boot, 3, 0);
  call(__NR_dup3, child_start.image, 4, O_CLOEXEC);
  call(__NR_close_range, 0, 2, 0);
  call(__NR_close_range, 5, ~0U, 0);
  call(__NR_execveat, 4, address(""), address(child_argv), address(child_environment),
       AT_EMPTY_PATH);
  inside::leave(1);
}

}  // namespace

Result<os::Process> clone_launcher(const LauncherStart& start) {
  child_start = start;
  warden_core = ::sched_getcpu();
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_VM | CLONE_PIDFD | start.namespaces;
  args.exit_signal = SIGCHLD;
  args.pidfd = reinterpret_cast<std::uint64_t>(&pidfd);
  args.stack = reinterpret_cast<std::uint64_t>(child_stack);
  args.stack_size = sizeof child_stack;
  if (start.cgroup >= 0) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(start.cgroup);
  }
  const long pid = inside::clone_onto(args, become_launcher);
  if (pid < 0)
    return system_error(static_cast<int>(-pid), "clone the launcher into its namespaces");
  return os::Process(static_cast<pid_t>(pid), os::OwnedFd(pidfd));
}

}  // namespace assay::sandbox::warden
