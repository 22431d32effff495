// May init carry out the next run, too? A new one costs a process, a pid namespace, a mount of
// /proc and the way into every cgroup, about a quarter of what a small run costs in all, and gives
// nothing that this one lacks if the run left no trace in it:
//   * nobody else is in its pid namespace: it has no child left, and every process in there
//   descends
//     from it. Nor was there ever anybody but the program, so that the next one, which gets the
//     same pid again, sees the same pids. A child that the kernel refused (by the limit on
//     processes, say) was nobody, but took a pid: the counter tells.
//   * nobody could touch it: it has an id of its own, so that the program could neither signal nor
//     trace it, nor set its limits, priority or cores. Its /proc cannot be written to.
//   * nothing was made in the ipc namespace it shares with the launcher.
//   * on cgroup v1, where the meters' cgroup stays with it: nothing is left there that cannot be
//   set
//     back.
// Otherwise it ends, and with it whatever there is.
#include <fcntl.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

constexpr std::uint64_t kProgram = 2;  // its pid, and the last one that was given

// Pages that the kernel takes back later, or holds ready for the next one who is charged here.
constexpr std::uint64_t kMostResidue = 1U << 20;  // as for any leaf that is used again (leaf.cc)

bool is_alone_by(int pids_peak, std::uint64_t most) noexcept {
  if (pids_peak < 0) return false;
  const std::uint64_t peak = read_number(pids_peak);
  return peak > 0 && peak <= most;
}

bool leaf_can_be_used_again() noexcept {
  const bool counts_memory = state.plan->memory_group < state.plan->groups;
  if (counts_memory && state.memory_now[state.leaf] < 0) return false;
  return is_alone_by(state.pids_peak[state.leaf], 2) &&
         (!counts_memory || read_number(state.memory_now[state.leaf]) <= kMostResidue);
}

// On v2 each run has a new leaf: what there is to be known is the old one's.
bool was_alone_in_leaf() noexcept {
  const int peak = static_cast<int>(
      call(__NR_openat, state.entered_dir, address("pids.peak"), O_RDONLY | O_CLOEXEC));
  const bool alone = is_alone_by(peak, 1);
  if (peak >= 0) close_fd(peak);
  return alone;
}

}  // namespace

bool init_may_stay() noexcept {
  const BoxPlan& plan = *state.plan;
  const Run& run = state.now;
  if (plan.isolation != Isolation::Full || plan.single_id != 0 || state.odd) return false;
  if (!run.reported) return false;  // the launcher tells what is written down when we have ended
  if (run.ended.step != Step::None || !state.knows_ipc || state.ipc_used) return false;
  if (state.last_pid_fd < 0 || read_number(state.last_pid_fd) != kProgram) return false;
  switch (plan.meters) {
    case Meters::V1:
      return leaf_can_be_used_again();
    case Meters::V2:
      return was_alone_in_leaf();
    default:
      return false;
  }
}

}  // namespace assay::sandbox::inside
