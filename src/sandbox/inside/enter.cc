// The program-to-be: a vfork child of init. Straight line; whatever fails is written down where
// init sees it.
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/resource.h>

#include "sandbox/inside/state.h"
#include "sandbox/inside/unpack.h"

namespace assay::sandbox::inside {
namespace {

[[noreturn]] void fail(Step step, std::uint32_t index, long error) noexcept {
  Ended& ended = state.now.ended;
  ended.kind = EndKind::NotStarted;
  ended.step = step;
  ended.index = index;
  ended.error = static_cast<std::int32_t>(-error);
  leave(127);
}

// Only the program enters the memory cgroup: init stays out of reach of its OOM killer. Writing "0"
// to `tasks` moves the writer alone and costs 10 us; cgroup.procs would wait for an RCU grace
// period (8 ms).
void attach_memory() noexcept {
  const BoxPlan& plan = *state.plan;
  if (plan.meters == Meters::V2) {
    const long moved =
        call(__NR_unshare, CLONE_NEWCGROUP);  // the leaf becomes the root that it can see
    if (moved < 0) fail(Step::Attach, 0, moved);
    return;
  }
  if (plan.meters != Meters::V1 || plan.memory_group >= plan.groups) return;
  const long wrote =
      call(__NR_write, state.leaf_tasks[state.leaf][plan.memory_group], address("0"), 1);
  if (wrote < 0) fail(Step::Attach, plan.memory_group, wrote);
}

// Only the leader of a session can have a terminal. Unless asked the program stays in init's
// session: a session is a scheduling group of its own (autogroup), and init, woken to die with its
// namespace, would wait for the slice of a spinning program in another group to end: 2 to 4 ms past
// the limit.
void take_terminal(const RunRequest& request) noexcept {
  if (request.session == 0 || state.plan->isolation == Isolation::None) return;
  call(__NR_setsid);
  if ((request.session & 2) == 0) return;
  const long taken = call(__NR_ioctl, 0, 0x540e /* TIOCSCTTY */, 0);
  if (taken < 0) fail(Step::Terminal, 0, taken);
}

void limit_resources(const RunRequest& request) noexcept {
  for (std::uint32_t i = 0; i < request.limits; ++i) {
    const ResourceLimit& limit = request.limit[i];
    const long set = call(__NR_prlimit64, 0, limit.resource, address(&limit.soft));
    if (set < 0) fail(Step::Limit, i, set);
  }
}

void choose_cores(const RunRequest& request) noexcept {
  const bool chosen = request.cpu_words != 0;
  const long set = call(__NR_sched_setaffinity, 0,
                        chosen ? request.cpu_words * 8L : static_cast<long>(sizeof state.all_cpus),
                        address(chosen ? request.cpus : state.all_cpus));
  if (set < 0) fail(Step::Affinity, 0, set);
}

// Leaving uid 0 clears the capabilities; the bounding set was emptied when the box was made. Groups
// were cleared then, too.
void drop_identity() noexcept {
  const BoxPlan& plan = *state.plan;
  if (plan.isolation == Isolation::None) return;
  const long group = call(__NR_setresgid, plan.group, plan.group, plan.group);
  if (group < 0) fail(Step::Identity, 0, group);
  const long user = call(__NR_setresuid, plan.user, plan.user, plan.user);
  if (user < 0) fail(Step::Identity, 1, user);
  if (plan.single_id == 0) return;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  const long dropped = call(__NR_capset, address(&header), address(none));
  if (dropped < 0) fail(Step::Identity, 2, dropped);
}

// The meter's first number: nanoseconds on v1 ("123"), microseconds on v2 ("usage_usec 123").
std::uint64_t read_cpu_meter() noexcept {
  if (state.plan->meters == Meters::None) return 0;
  char text[64];
  const long got = call(__NR_pread64, state.entered_meter, address(text), sizeof text, 0);
  long i = 0;
  while (i < got && (text[i] < '0' || text[i] > '9'))
    ++i;
  std::uint64_t value = 0;
  for (; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
    value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
  return state.plan->meters == Meters::V2 ? value * 1000 : value;
}

// The measured window opens here: nothing before is charged to the program.
void open_window(const RunRequest& request) noexcept {
  Ended& ended = state.now.ended;
  ended.cpu_base_ns = read_cpu_meter();
  ended.started_ns = now_ns(1 /* CLOCK_MONOTONIC */);
  if (state.slate == nullptr) return;
  state.slate->cpu_base_ns = ended.cpu_base_ns;
  state.slate->started_ns = ended.started_ns;
  __atomic_store_n(&state.slate->sequence, request.sequence, __ATOMIC_RELEASE);
}

// A program that was just put in may still be open for writing in the launcher, which closes it
// right after it has sent the descriptor away; exec would say ETXTBSY.
void await_launcher() noexcept {
  while (__atomic_load_n(&state.lending, __ATOMIC_ACQUIRE) != 0)
    call(__NR_sched_yield);
}

// Tries each place the program may be in, as execvp does: a missing one is passed over, a forbidden
// one is remembered.
[[noreturn]] void execute(const RunRequest& request) noexcept {
  if (runs_from_descriptor(request))
    fail(Step::Exec, 0,
         call(__NR_execveat, program_descriptor(request), address(""), address(state.now.arguments),
              address(state.now.environment), AT_EMPTY_PATH));
  long error = -ENOENT;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < request.candidates; ++i) {
    const long failed = call(__NR_execve, address(state.now.candidates[i]),
                             address(state.now.arguments), address(state.now.environment));
    if (failed == -ENOENT || failed == -ENOTDIR) continue;
    last = i;
    error = failed;
    if (failed != -EACCES) break;
  }
  fail(Step::Exec, last, error);
}

}  // namespace

void enter_main() noexcept {
  const RunRequest& request = *state.now.request;
  attach_memory();
  const long moved = call(__NR_chdir, address(text_at(state.plan->work_dir)));
  if (moved < 0) fail(Step::WorkDir, 0, moved);
  take_terminal(request);
  limit_resources(request);
  choose_cores(request);
  call(__NR_umask, request.umask);
  drop_identity();
  // All our own descriptors close at exec already; this holds even for one that was forgotten.
  call(__NR_close_range, request.descriptors, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
  await_launcher();
  open_window(request);
  execute(request);
}

}  // namespace assay::sandbox::inside
