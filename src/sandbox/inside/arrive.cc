// How a launcher comes to its box: by the boot socket it gets its plan, then its meters, and says
// there what kept it from making the box.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

alignas(64) char plan_space[kMaxPlan];
int received[253];

bool lift_all(unsigned count) noexcept {
  for (unsigned i = 0; i < count; ++i)
    if ((received[i] = lift(received[i])) < 0) return false;
  return true;
}

void have_none_yet() noexcept {
  state.box_dir = state.pids_dir = state.memory_dir = state.leaf_dir = state.sharing_tasks = -1;
  state.listener = state.init_fd = state.work_fd = state.sockets_fd = state.last_pid_fd = -1;
  for (unsigned leaf = 0; leaf < kLeaves; ++leaf)
    state.pids_peak[leaf] = state.memory_now[leaf] = -1;
  for (int& fd : state.leaf_file)
    fd = -1;
  for (int& fd : state.cpu_meter)
    fd = -1;
}

// The page that tells the daemon when the program started. The one six-argument call: no key, no
// filter yet.
void map_slate() noexcept {
  register long r10 asm("r10") = MAP_SHARED;
  register long r8 asm("r8") = received[kSlateFd];
  register long r9 asm("r9") = 0;
  long result = __NR_mmap;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(0L), "S"(4096L), "d"(PROT_READ | PROT_WRITE), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  if (result < 0) leave(1);  // to the daemon no program would ever start, and no time pass
  state.slate = reinterpret_cast<Slate*>(result);
  close_fd(received[kSlateFd]);
}

}  // namespace

[[noreturn]] void refuse(const Trouble& met) noexcept {
  ControlReply reply{};
  reply.answer = Answer::BoxFailed;
  reply.step = met.step;
  reply.index = met.index;
  reply.error = met.error;
  send(state.boot, &reply, sizeof reply, nullptr, 0);
  // Whoever closes a socket with something unread in it takes away what he has sent: the filter may
  // be on its way to us. The warden ends us when it has heard why.
  unsigned none = 0;
  while (receive(state.boot, plan_space, sizeof plan_space, received, &none, MSG_CMSG_CLOEXEC) >
         0) {
  }
  leave(1);
}

void receive_plan() noexcept {
  state.boot = lift(3);
  unsigned count = 0;
  const long size =
      receive(state.boot, plan_space, sizeof plan_space, received, &count, MSG_CMSG_CLOEXEC);
  state.plan = reinterpret_cast<const BoxPlan*>(plan_space);
  if (size < static_cast<long>(sizeof(BoxPlan)) || size != static_cast<long>(state.plan->size))
    leave(1);
  if (count != kFixedFds || !lift_all(count)) leave(1);
  state.control = received[kControlFd];
  state.run = received[kRunFd];
  have_none_yet();
  map_slate();
}

// They come apart from the plan, because the warden makes them while we build the root.
long receive_meters() noexcept {
  const BoxPlan& plan = *state.plan;
  char word = 0;
  unsigned count = 0;
  const long size = receive(state.boot, &word, sizeof word, received, &count, MSG_CMSG_CLOEXEC);
  if (size != sizeof word || word != kMetersFollow || !lift_all(count)) return -EBADMSG;
  unsigned next = 0;
  if (plan.meters == Meters::V1) {
    for (unsigned i = 0; i < plan.groups; ++i) {
      state.box_tasks[i] = received[next++];
      for (unsigned leaf = 0; leaf < plan.leaves; ++leaf)
        state.leaf_tasks[leaf][i] = received[next++];
    }
    for (unsigned leaf = 0; leaf < plan.leaves; ++leaf)
      state.cpu_meter[leaf] = received[next++];
  }
  if (plan.meters == Meters::V1 && next + 2 <= count) {
    state.memory_dir = received[next++];
    state.pids_dir = received[next++];
  }
  if (plan.meters == Meters::V1 && next < count) state.sharing_tasks = received[next];
  if (plan.meters == Meters::V2 && next < count) state.box_dir = received[next];
  return 0;
}

}  // namespace assay::sandbox::inside
