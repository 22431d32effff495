// What the launcher has from whoever started the engine, and no program shall have from it. Once
// per box: what a program is, it inherits from here.
#include <fcntl.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

// A session of the box's own: it has no controlling terminal, which a program could open as
// /dev/tty wherever a site mounts that. And the kernel shares the cores among sessions (autogroup),
// not among threads, wherever no cpu cgroup does (a degraded box): 64 spinning threads in another
// box take no more than one, unless they make sessions of their own. The programs stay in this
// session, see enter.cc.
void begin_session() noexcept {
  call(__NR_setsid);
}

// A daemon may run before others, or by real-time rules, so as to answer in time. A program that
// spins by them would take the machine. What makes it slower than others is left as it is.
void take_no_precedence() noexcept {
  constexpr long kResetOnFork = 0x40000000, kDeadline = 6;
  const long policy = call(__NR_sched_getscheduler, 0) & ~kResetOnFork;
  const sched_param plain{};
  if (policy == SCHED_FIFO || policy == SCHED_RR || policy == kDeadline)
    call(__NR_sched_setscheduler, 0, SCHED_OTHER, address(&plain));
  constexpr long kNiceZero = 20;  // the kernel answers 20 - nice, so that no answer is an error
  if (call(__NR_getpriority, PRIO_PROCESS, 0) > kNiceZero)
    call(__NR_setpriority, PRIO_PROCESS, 0, 0);
  const long io = call(__NR_ioprio_get, IOPRIO_WHO_PROCESS, 0);
  if (io >= 0 && IOPRIO_PRIO_CLASS(io) == IOPRIO_CLASS_RT)
    call(__NR_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_NONE, 0));
  const rlimit64 none{0, 0};
  call(__NR_prlimit64, 0, RLIMIT_RTPRIO, address(&none), 0);
  call(__NR_prlimit64, 0, RLIMIT_NICE, address(&none), 0);
}

// A core_pattern that is a pipe starts its program, root's and outside of the box, unless the limit
// is exactly 1. Here, before there is a filter: that keeps the limit as it is, whoever asks.
void leave_no_core() noexcept {
  rlimit64 limit{1, 1};
  if (call(__NR_prlimit64, 0, RLIMIT_CORE, address(&limit), 0) == 0) return;
  limit.rlim_cur = limit.rlim_max = 0;  // the starter's own limit is lower, and stays
  call(__NR_prlimit64, 0, RLIMIT_CORE, address(&limit), 0);
}

// An engine that is spared when the host runs out of memory must not spare its programs: they are
// what used it up. Raising the score needs no right; the program can never lower it again.
long be_a_victim() noexcept {
  const long fd =
      call(__NR_openat, AT_FDCWD, address("/proc/self/oom_score_adj"), O_RDWR | O_CLOEXEC);
  if (fd < 0) return 0;  // a host without /proc has no such setting
  char first = 0;
  const long got = call(__NR_pread64, fd, address(&first), 1, 0);
  const long raised = got == 1 && first == '-' ? call(__NR_write, fd, address("0"), 1) : 0;
  close_fd(static_cast<int>(fd));
  return raised;
}

}  // namespace

Trouble shed_inheritance() noexcept {
  constexpr long kTimerSlack = 50'000;  // the kernel's own: how late a sleeping program may wake
  begin_session();
  take_no_precedence();
  leave_no_core();
  call(__NR_prctl, PR_SET_TIMERSLACK, kTimerSlack);
  call(__NR_personality, 0);  // addresses are random and pages that are read cannot be executed
  const long raised = be_a_victim();
  if (raised < 0) return {Step::Privileges, 3, static_cast<int>(-raised)};
  return {};
}

}  // namespace assay::sandbox::inside
