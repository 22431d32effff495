// Init: pid 1 of the pid namespace of a run. Prepared ahead of it, and ends with it unless nothing
// speaks against another one (stay.cc).
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sandbox/inside/state.h"
#include "sandbox/inside/unpack.h"

namespace assay::sandbox::inside {
namespace {

alignas(64) char message[kMaxRequest];
alignas(64) char arena[kMaxStrings + kMaxStrings * 4];  // strings, then pointers to them; untouched
                                                        // pages cost nothing
alignas(64) char program_stack[16 * 1024];

std::uint64_t own_cpu_at_start;
unsigned at_home;    // the core we wait on, plus one
rusage used_before;  // by the programs of earlier runs

void report() noexcept {
  Run& run = state.now;
  if (own_cpu_at_start != 0)
    run.ended.init_cpu_ns = now_ns(3 /* CLOCK_THREAD_CPUTIME_ID */) - own_cpu_at_start;
  run.finished = true;
  run.reported = send(state.run, &run.ended, sizeof run.ended, nullptr, 0);
}

[[noreturn]] void report_and_leave() noexcept {
  report();
  leave(0);
}

[[noreturn]] void give_up(Step step, std::uint32_t index, long error) noexcept {
  Ended& ended = state.now.ended;
  ended.kind = EndKind::NotStarted;
  ended.step = step;
  ended.index = index;
  ended.error = static_cast<std::int32_t>(-error);
  report_and_leave();
}

// Everything that can be done before the request is known. A failure is kept and told when the
// request comes.
// Waking a core that idles costs more than all else in a run. So init waits on the core of the
// thread that will send the request and then sleep, and on which it will be heard; a program with a
// core of its own is started there. Else the program itself may run anywhere.
void stay_at_home() noexcept {
  if (state.home > kMaxCpuWords * 64 || state.home == at_home) return;
  at_home = state.home;
  if (at_home == 0) {
    call(__NR_sched_setaffinity, 0, sizeof state.all_cpus, address(state.all_cpus));
    return;
  }
  const unsigned core = at_home - 1;
  std::uint64_t cpus[kMaxCpuWords]{};
  cpus[core / 64] = state.all_cpus[core / 64] & (1ULL << (core % 64));
  call(__NR_sched_setaffinity, 0, sizeof cpus, address(cpus));
}

Trouble prepare() noexcept {
  const BoxPlan& plan = *state.plan;
  at_home = 0;
  used_before = {};
  state.stayed = false;
  if (plan.isolation == Isolation::None) {
    call(__NR_setsid);
    call(__NR_prctl, PR_SET_CHILD_SUBREAPER, 1);
    return {};
  }
  // A process group, so that a signal to the program's own group reaches nobody else. Not a
  // session: the kernel makes a scheduling group for each (autogroup), which costs 20 us. The
  // box has one (shed.cc).
  call(__NR_setpgid, 0, 0);
  if (plan.meters == Meters::V1) {
    for (std::uint32_t i = 0; i < plan.groups; ++i) {
      if (i == plan.memory_group) continue;
      const long wrote = call(__NR_write, state.leaf_tasks[state.leaf][i], address("0"), 1);
      if (wrote < 0) return {Step::Attach, i, static_cast<int>(-wrote)};
    }
    call(__NR_unshare, CLONE_NEWCGROUP);  // the leaf becomes the root that the program sees
  }
  if (plan.pid_proc == 0) return {};
  // Fail closed: below lies the box's own /proc, which shows more.
  const long mounted =
      call(__NR_mount, address("proc"), address("/proc"), address("proc"),
           MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY,
           address(plan.pid_proc == 1 ? "subset=pid,hidepid=invisible" : "hidepid=invisible"));
  if (mounted < 0) return {Step::Proc, 0, static_cast<int>(-mounted)};
  state.proc_mounted = true;
  return {};
}

bool read_long_strings(int fd, std::uint32_t size) noexcept {
  std::uint32_t have = 0;
  while (have < size) {
    const long got = call(__NR_pread64, fd, address(arena + have), size - have, have);
    if (got == -EINTR) continue;
    if (got <= 0) return false;
    have += static_cast<std::uint32_t>(got);
  }
  close_fd(fd);
  return true;
}

bool unpack(const RunRequest& request, const int* fds, long size) noexcept {
  Run& run = state.now;
  char* text = message + sizeof request;
  run.put_in = text;
  run.put_in_end = message + size;
  if (request.long_strings != 0) {
    if (!read_long_strings(fds[request.descriptors + request.copies + request.program],
                           request.strings))
      return false;
    text = arena;
  } else {
    run.put_in += request.strings;
  }
  const char* end = text + request.strings;
  auto** pointers = reinterpret_cast<char**>(arena + kMaxStrings);
  auto* const* pointers_end = reinterpret_cast<char**>(arena + sizeof arena);
  run.candidates = point_at(text, end, pointers, pointers_end, request.candidates);
  run.arguments = point_at(text, end, pointers, pointers_end, request.argc);
  run.environment = point_at(text, end, pointers, pointers_end, request.envc);
  return run.candidates != nullptr && run.arguments != nullptr && run.environment != nullptr;
}

// Blocks until the daemon sends a run. The descriptors land at 0, 1, 2, …: nothing else of ours is
// down there.
const RunRequest& await_request() noexcept {
  static int fds[253];
  own_cpu_at_start = 0;
  stay_at_home();
  unsigned fd_count = 0;
  const long size = receive(state.run, message, sizeof message, fds, &fd_count, 0);
  if (size <= 0) leave(0);  // the daemon is gone; the launcher sees it too
  const auto& request = *reinterpret_cast<const RunRequest*>(message);
  Run& run = state.now;
  run.ended = Ended{};
  run.ended.sequence = size >= static_cast<long>(sizeof request) ? request.sequence : 0;
  run.request = &request;
  run.clean_after = request.clean_after != 0;
  state.home = size >= static_cast<long>(sizeof request) ? request.home : 0;
  __atomic_store_n(&run.sequence, run.ended.sequence, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&run.kill_wanted, __ATOMIC_SEQ_CST) == run.ended.sequence) {
    run.ended.kind = EndKind::Killed;
    report_and_leave();
  }
  const bool shaped = size >= static_cast<long>(sizeof request) &&
                      is_shaped(request, static_cast<unsigned long>(size), fd_count) &&
                      (fd_count == 0 || fds[0] == 0);
  if (!shaped || !unpack(request, fds, size)) give_up(Step::Request, 0, -EBADMSG);
  return request;
}

void put_files_in(const RunRequest& request) noexcept {
  if (request.put_ins == 0 && request.program == 0) return;
  const Run& run = state.now;
  if (!put_in(request, run.put_in, run.put_in_end) || !put_program_in(request)) {
    state.now.ended.kind = EndKind::NotStarted;
    report_and_leave();
  }
  if (request.copies > 0)
    call(__NR_close_range, request.descriptors, request.descriptors + request.copies - 1, 0);
}

long start(const RunRequest& request) noexcept {
  note_full_places(request);
  if (state.coarse_times)
    call(__NR_clock_gettime, 5 /* CLOCK_REALTIME_COARSE */, address(&state.began));
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK;
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(program_stack);
  args.stack_size = sizeof program_stack;
  enter_leaf();
  if (state.plan->meters == Meters::V2) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(state.entered_dir);
  }
  // As in a new namespace. It is free: nobody is there but us.
  static constexpr std::int32_t kFirstPid = 2;
  if (state.stayed) {
    args.set_tid = reinterpret_cast<std::uint64_t>(&kFirstPid);
    args.set_tid_size = 1;
  }
  own_cpu_at_start = now_ns(3 /* CLOCK_THREAD_CPUTIME_ID */);
  const long pid = clone_onto(args, enter_main);
  if (request.descriptors > 0) call(__NR_close_range, 0, request.descriptors - 1, 0);
  if (request.program != 0) close_fd(program_descriptor(request));
  return pid;
}

void note_end(int status) noexcept {
  Ended& ended = state.now.ended;
  ended.ended_ns = now_ns(1 /* CLOCK_MONOTONIC */);
  rusage usage{};
  call(__NR_getrusage, RUSAGE_CHILDREN, address(&usage));
  const auto ns = [](const timeval& t) {
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(t.tv_usec) * 1000;
  };
  ended.user_ns = ns(usage.ru_utime) - ns(used_before.ru_utime);
  ended.system_ns = ns(usage.ru_stime) - ns(used_before.ru_stime);
  // Of the greatest child ever: true where it is asked for, as init stays only where cgroups count.
  ended.max_rss_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
  ended.switches_voluntary = static_cast<std::uint64_t>(usage.ru_nvcsw - used_before.ru_nvcsw);
  ended.switches_forced = static_cast<std::uint64_t>(usage.ru_nivcsw - used_before.ru_nivcsw);
  used_before = usage;
  if (ended.step != Step::None) return;  // it failed before exec and said so
  if (WIFEXITED(status)) {
    ended.kind = EndKind::Exited;
    ended.status = WEXITSTATUS(status);
    ended.file_over_limit = a_file_is_full(*state.now.request) ? 1 : 0;
  } else {
    ended.kind = WCOREDUMP(status) ? EndKind::Dumped : EndKind::Signaled;
    ended.status = WTERMSIG(status);
  }
}

// A zombie still knows it. Only of the program itself, and only where /proc is the namespace's own:
// its pid is 2 there.
void note_starvation() noexcept {
  Run& run = state.now;
  const std::uint64_t limit = run.request->wall_ns;
  if (limit == 0 || state.plan->pid_proc == 0) return;
  if (now_ns(1 /* CLOCK_MONOTONIC */) - run.ended.started_ns < limit) return;
  run.ended.wanted_ns = wanted_time_of("/proc/2");
}

// Waits until a child has ended and leaves it as it is.
bool await_end(long program) noexcept {
  siginfo_t ended{};
  for (;;) {
    const long waited = call(__NR_waitid, P_ALL, 0, address(&ended), WEXITED | WNOWAIT | __WALL);
    if (waited == -EINTR) continue;
    return waited >= 0 && ended.si_pid == program;
  }
}

long reap(int* status, int flags, rusage* used = nullptr) noexcept {
  long pid = 0;
  do {
    pid = call(__NR_wait4, -1, address(status), flags | __WALL, address(used));
  } while (pid == -EINTR);
  return pid;
}

// The launcher cleans and says that we are ready; the order is: our report, our word, its work.
void stay() noexcept {
  state.stayed = true;
  const std::uint64_t one = 1;
  if (call(__NR_write, state.over, address(&one), sizeof one) < 0)
    leave(0);  // as an end it is noticed, too
}

// Returns when nobody is left; else ends them, and itself.
void end_orphans() noexcept {
  int status = 0;
  long left = 0;
  do {
    left = reap(&status, WNOHANG);
  } while (left > 0);
  if (left != 0) return;
  if (state.plan->isolation == Isolation::None) {
    end_descendants();
    report_and_leave();
  }
  // Something still runs. Our own end is the one sure way to end it: the kernel kills the
  // namespace and lets no new process in. The launcher sends what is written down here once it is
  // empty.
  state.now.ended.orphans = 1;
  state.now.ended.init_cpu_ns = now_ns(3) - own_cpu_at_start;
  state.now.finished = true;
  leave(0);
}

void carry_out(const RunRequest& request) noexcept {
  put_files_in(request);
  const long program = start(request);
  if (program < 0) give_up(Step::Init, 0, program);
  int status = 0;
  rusage used{};
  for (long pid = 0; pid != program;) {
    if (await_end(program)) note_starvation();
    pid = reap(&status, 0, &used);  // orphans too: a long run may leave many
    if (pid < 0) leave(1);
  }
  state.now.ended.program_rss_kib = static_cast<std::uint64_t>(used.ru_maxrss);
  note_end(status);
  end_orphans();
  report();
}

}  // namespace

void init_main() noexcept {
  const Trouble trouble = prepare();
  for (;;) {
    const RunRequest& request = await_request();
    if (trouble.any()) give_up(trouble.step, trouble.index, -trouble.error);
    carry_out(request);
    if (!init_may_stay()) leave(0);
    stay();
  }
}

}  // namespace assay::sandbox::inside
