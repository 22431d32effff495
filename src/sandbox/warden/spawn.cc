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

cpu_set_t all_cores;  // where we may run, and so may the child

constexpr int kBoot = 3, kImage = 4, kGo = 5;

// Only three descriptors are kept, and the launcher inherits the first: what it must not hold is,
// above all, the lock of this engine and its own end of `go`. The reserved numbers are free for
// this, see reserve_low_descriptors().
void keep_few_descriptors() noexcept {
  call(__NR_dup3, child_start.boot, kBoot, 0);
  call(__NR_dup3, child_start.image, kImage, O_CLOEXEC);
  call(__NR_dup3, child_start.go, kGo, O_CLOEXEC);
  call(__NR_close_range, 0, 2, 0);
  call(__NR_close_range, kGo + 1, ~0U, 0);
}

// Root of the box, which the host knows by an id of the box's own; without this exec would drop the
// capabilities. Without isolation, nobody, if we are root.
bool take_identity() noexcept {
  const bool isolated = child_start.namespaces != 0;
  const long id = isolated ? 0 : kNobody;
  if (!isolated && call(__NR_geteuid) != 0) return true;
  if (!isolated && call(__NR_setgroups, 0, 0) < 0) return false;
  return call(__NR_setresgid, id, id, id) >= 0 && call(__NR_setresuid, id, id, id) >= 0;
}

void stay_on_core(int core) noexcept {
  std::uint64_t cores[16]{};
  cores[core / 64] = 1ULL << (core % 64);
  call(__NR_sched_setaffinity, 0, sizeof cores, address(cores));
}

// It runs beside the warden in the same memory, as the same thread to a sanitizer, whose notes are
// not made for two (seen as an overflow in the warden, once in some hundred boxes, and as a fault
// of the thread sanitizer itself, once in some ten thousand): this file is built without.
[[noreturn]] void become_launcher() noexcept {
  call(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL);
  keep_few_descriptors();
  if (child_start.later != 0 && call(__NR_unshare, static_cast<long>(child_start.later)) < 0)
    inside::leave(1);
  char go = 0;
  if (call(__NR_read, kGo, address(&go), 1) != 1) inside::leave(1);
  if (!take_identity()) inside::leave(1);
  // Not before: send_away() may have come after anything that we did until now, and what the
  // launcher finds here is where its programs may run.
  call(__NR_sched_setaffinity, 0, sizeof all_cores, address(&all_cores));
  if (child_start.core >= 0) stay_on_core(child_start.core);
  std::uint64_t no_signals = 0;
  call(__NR_rt_sigprocmask, SIG_SETMASK, address(&no_signals), 0, sizeof no_signals);
  call(__NR_execveat, kImage, address(""), address(child_argv), address(child_environment),
       AT_EMPTY_PATH);
  inside::leave(1);
}

// To another core than ours, if there is one: it may have been queued behind us, and would wait
// until we sleep.
void send_away(pid_t child) {
  cpu_set_t others = all_cores;
  const int here = ::sched_getcpu();
  if (here >= 0) CPU_CLR(here, &others);
  if (CPU_COUNT(&others) > 0) (void)::sched_setaffinity(child, sizeof others, &others);
}

}  // namespace

Result<os::Process> clone_launcher(const LauncherStart& start) {
  child_start = start;
  CPU_ZERO(&all_cores);
  (void)::sched_getaffinity(0, sizeof all_cores, &all_cores);
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
  send_away(static_cast<pid_t>(pid));
  return os::Process(static_cast<pid_t>(pid), os::OwnedFd(pidfd));
}

}  // namespace assay::sandbox::warden
