// The launcher: pid 1 of a box. See plan.h for how it works with init and the program.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {

std::uint64_t filter_key;
State state;

namespace {

alignas(64) char request_space[sizeof(ControlRequest) + 2 * kMaxName + 2];
alignas(64) char init_stack[32 * 1024];
int received[253];

void forget_run() noexcept {
  const std::uint64_t kill_wanted = state.now.kill_wanted;
  state.now = Run{};
  state.now.kill_wanted = kill_wanted;
}

// Makes the init of the next run: everything that run needs and that does not depend on it.
void prepare_init() noexcept {
  int fd = -1;
  clone_args args{};
  args.flags = CLONE_VM | CLONE_PIDFD;
  if (state.plan->isolation == Isolation::Full) args.flags |= CLONE_NEWPID;
  args.pidfd = reinterpret_cast<std::uint64_t>(&fd);
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(init_stack);
  args.stack_size = sizeof init_stack;
  const long pid = clone_onto(args, init_main);
  state.init_pid = pid < 0 ? 0 : static_cast<int>(pid);
  state.init_fd = pid < 0 ? -1 : lift(fd);
  if (pid >= 0 && state.init_fd < 0) leave(1);  // its end would be seen by nobody
  if (pid < 0) state.odd = true;
}

void say_ready() noexcept {
  ControlReply reply{};
  reply.answer = Answer::Ready;
  reply.leaf = state.leaf;
  reply.renewed = state.renewed;
  reply.renewed_leaf = state.renewed_leaf;
  int fds[kLeafFiles + kMaxSpares];
  unsigned count = 0;
  for (const int fd : state.leaf_file)
    if (fd >= 0) fds[count++] = fd;
  int* spares = fds + count;
  reply.spares = make_spares(spares);
  reply.odd = state.odd ? 1 : 0;
  tell(state.control, &reply, sizeof reply, fds, count + (state.odd ? 0 : reply.spares));
  for (unsigned i = 0; i < reply.spares; ++i)
    if (spares[i] >= 0) close_fd(spares[i]);
}

void clean_and_prepare() noexcept {
  const bool init_stays = state.idle;
  state.idle = false;
  clean(init_stays);
  forget_run();
  if (!init_stays) prepare_init();
  say_ready();
}

// Init has reported, and stays. If it was killed meanwhile, its end is still to come.
void run_over() noexcept {
  std::uint64_t count = 0;
  call(__NR_read, state.over, address(&count), sizeof count);
  if (state.now.killed || state.init_pid == 0) return;
  state.idle = true;
  if (state.now.clean_after) clean_and_prepare();
}

// Init is gone and with it everything in its namespace. If it did not report, we do, from what it
// wrote down.
void init_ended() noexcept {
  int status = 0;
  call(__NR_wait4, state.init_pid, address(&status), __WALL, 0);
  close_fd(state.init_fd);
  state.init_fd = -1;
  state.init_pid = 0;
  state.idle = false;
  if (state.plan->isolation == Isolation::None) end_descendants();  // no namespace did it
  Run& run = state.now;
  // Nobody in the box can kill the init of a pid namespace. If somebody outside did, what became of
  // the program is not known, and a box without an init would answer no request: it ends as well.
  if (!run.finished && !run.killed && state.plan->isolation == Isolation::Full) leave(1);
  if (run.reported) {
    if (run.clean_after) clean_and_prepare();
    return;
  }
  if (!run.finished) {
    if (run.ended.kind != EndKind::Forbidden) {
      run.ended.kind = EndKind::Killed;
      run.ended.status = SIGKILL;
    }
    run.ended.ended_ns = now_ns(1 /* CLOCK_MONOTONIC */);
  }
  run.ended.sequence = run.sequence != 0 ? run.sequence : run.kill_wanted;
  tell(state.run, &run.ended, sizeof run.ended, nullptr, 0);
  run.reported = true;
  if (run.clean_after) clean_and_prepare();
}

// Where no cgroup counts, the last look at the living is all there will be: the kernel lets a
// killed namespace go without adding its times to anybody's.
void kill_init() noexcept {
  if (state.init_pid == 0) return;
  if (state.plan->meters == Meters::None) {
    ControlReply used{};
    add_up_usage(used);
    state.now.ended.user_ns = used.cpu_ns;
    state.now.ended.max_rss_kib = used.memory_bytes >> 10;
  }
  state.now.killed = true;
  call(__NR_kill, state.init_pid, SIGKILL);
}

std::uint32_t watched_bit(int number) noexcept {
  switch (number) {
    case __NR_shmget:
      return kShmget;
    case __NR_semget:
      return kSemget;
    case __NR_msgget:
      return kMsgget;
    case __NR_mq_open:
      return kMqOpen;
    default:
      return 0;
  }
}

// A call that the filter forbids: note which, end the run. The caller sleeps in the kernel until it
// dies. Or one that is only watched: it goes on, whatever its arguments are by now.
void call_forbidden() noexcept {
  seccomp_notif notice{};
  if (call(__NR_ioctl, state.listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_RECV),
           address(&notice)) < 0)
    return;
  if ((watched_bit(notice.data.nr) & state.watched) != 0) {
    state.ipc_used = true;
    seccomp_notif_resp reply{notice.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    call(__NR_ioctl, state.listener, static_cast<long>(SECCOMP_IOCTL_NOTIF_SEND), address(&reply));
    return;
  }
  Ended& ended = state.now.ended;
  if (ended.kind != EndKind::Forbidden) ended.status = notice.data.nr;
  ended.kind = EndKind::Forbidden;
  kill_init();
}

void kill_run(std::uint64_t sequence) noexcept {
  Run& run = state.now;
  __atomic_store_n(&run.kill_wanted, sequence, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&run.sequence, __ATOMIC_SEQ_CST) == sequence && !run.reported) kill_init();
}

char* append(char* to, const char* text) noexcept {
  while (*text != '\0')
    *to++ = *text++;
  return to;
}

char* append(char* to, std::uint64_t value) noexcept {
  char digits[20];
  unsigned count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0)
    *to++ = digits[--count];
  return to;
}

// The size of every writable place, for the next run only.
void resize_places(const ControlRequest& request) noexcept {
  char options[96];
  char* end = append(append(options, "size="), request.bytes);
  end = append(append(end, ",nr_inodes="), request.inodes);
  *end = '\0';
  ControlReply reply{};
  for (unsigned i = 0; i < state.place_count; ++i) {
    Place& place = state.places[i];
    place.resized = true;
    constexpr unsigned long kRemount = 32;  // MS_REMOUNT
    const long done = call(__NR_mount, address("tmpfs"), address(place.path), address("tmpfs"),
                           static_cast<long>(place.flags | kRemount), address(options));
    if (done < 0)
      reply = {.answer = Answer::Failed,
               .step = Step::Tmpfs,
               .index = i,
               .error = static_cast<int>(-done)};
  }
  tell(state.control, &reply, sizeof reply, nullptr, 0);
}

void obey(const ControlRequest& request) noexcept {
  switch (request.order) {
    case Order::Kill:
      return kill_run(request.sequence);
    case Order::Clean:
      state.now.clean_after = true;
      if (state.init_pid == 0 || state.idle) clean_and_prepare();
      return;
    case Order::DropSpares:
      return drop_spares();
    case Order::Resize:
      return resize_places(request);
    case Order::Stop:
      signal_run(SIGSTOP);
      return;
    case Order::Continue:
      signal_run(SIGCONT);
      return;
    case Order::Usage:
    case Order::Standing: {
      ControlReply reply{.answer = Answer::Usage};
      request.order == Order::Usage ? add_up_usage(reply) : look_at_standing(reply);
      tell(state.control, &reply, sizeof reply, nullptr, 0);
      return;
    }
    default:
      serve_file(request, request_space + sizeof(ControlRequest));
  }
}

// Orders come in bunches: all that are there are carried out before the next poll.
void serve_control() noexcept {
  for (;;) {
    unsigned count = 0;
    const long size = receive(state.control, request_space, sizeof request_space - 2, received,
                              &count, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (size == -EAGAIN) return;
    if (size <= 0) leave(0);  // the daemon is gone: so is the box
    for (unsigned i = 0; i < count; ++i)
      close_fd(received[i]);
    if (size < static_cast<long>(sizeof(ControlRequest))) continue;
    request_space[size] = request_space[size + 1] = '\0';
    obey(*reinterpret_cast<const ControlRequest*>(request_space));
  }
}

[[noreturn]] void serve() noexcept {
  for (;;) {
    pollfd waiting[5] = {{state.control, POLLIN, 0},
                         {state.init_fd, POLLIN, 0},
                         {state.listener, POLLIN, 0},
                         {state.boot, POLLIN, 0},
                         {state.over, POLLIN, 0}};
    const long ready = call(__NR_poll, address(waiting), 5, -1);
    if (ready < 0) continue;
    if (waiting[3].revents != 0) leave(0);  // the warden is gone, or wants us gone
    if (waiting[2].revents != 0) call_forbidden();
    if (waiting[4].revents != 0) run_over();
    if (waiting[1].revents != 0) init_ended();
    if (waiting[0].revents != 0) serve_control();
  }
}

// A signal that our starter ignores would stay ignored through every exec, down to the program.
void reset_signals() noexcept {
  struct {
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
  } standard{};
  for (int signal = 1; signal <= 64; ++signal)
    call(__NR_rt_sigaction, signal, address(&standard), 0, 8);
}

[[noreturn]] void launch() noexcept {
  reset_signals();
  call(__NR_sched_getaffinity, 0, sizeof state.all_cpus, address(state.all_cpus));
  receive_plan();
  filter_key = state.plan->key;
  Trouble met = shed_inheritance();
  if (!met.any()) met = settle();
  if (!met.any()) met = confine();
  if (met.any()) refuse(met);
  call(__NR_umask, 0);  // a file that is put in gets the very mode that was asked for
  open_counters();
  if (state.plan->meters == Meters::V2) renew_leaf(false);
  state.over =
      lift(static_cast<int>(call(__NR_eventfd2, 0, O_CLOEXEC | O_NONBLOCK)));  // EFD_ are these
  prepare_init();
  if (state.odd) refuse({Step::Init, 0, EIO});
  ControlReply reply{};
  reply.answer = Answer::BoxMade;
  tell(state.boot, &reply, sizeof reply, nullptr, 0);
  say_ready();
  serve();
}

}  // namespace
}  // namespace assay::sandbox::inside

extern "C" [[noreturn, gnu::used]] void assay_launch() {
  assay::sandbox::inside::launch();
}

extern "C" [[gnu::naked, noreturn, gnu::used]] void _start();
extern "C" void _start() {
  asm volatile("xor %ebp, %ebp\n\tand $-16, %rsp\n\tcall assay_launch\n\tud2");
}
