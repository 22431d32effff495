// What the processes of the run are doing, from /proc: what they have used so far, where no cgroup
// counts it and therefore only to a clock tick; and whether any of them would go on if it could.
#include <fcntl.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

struct Sum {
  std::uint64_t ticks;
  std::uint64_t pages;
  int signal;  // sent to each process that counts; 0: none
  bool looks_at_threads;
  bool busy;             // a thread waits for a device
  bool ready;            // a thread is on a cpu, or waits for one
  bool sleeps;           // a thread has asked to be woken later
  bool listens;          // a thread waits for news
  std::uint64_t wanted;  // the most that one ran or was ready to run, in nanoseconds
};

// Fields of /proc/PID/stat after the command's closing bracket, counted from the state as 0.
constexpr unsigned kSession = 3;
constexpr unsigned kFirstTime = 11;  // utime, stime, cutime, cstime
constexpr unsigned kLastTime = 14;
constexpr unsigned kResident = 21;

long number_in(const char* text) noexcept {
  long number = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    number = number * 10 + (*text - '0');
  return number;
}

// The command may hold brackets of its own: the last one closes it.
long after_command(const char* text, long size) noexcept {
  long at = size;
  while (at > 0 && text[at - 1] != ')')
    --at;
  return at;
}

// In our own /proc we are 1, in the run's init is; neither is the program.
bool is_program(const char* name) noexcept {
  return name[0] >= '1' && name[0] <= '9' && !(name[0] == '1' && name[1] == '\0');
}

// `f` is called with the name of each entry.
template <class F>
void for_each_entry(int directory, F f) noexcept {
  alignas(8) char buffer[2048];
  for (long got = 0; (got = call(__NR_getdents64, directory, address(buffer), sizeof buffer)) > 0;)
    for (long at = 0; at < got;) {
      std::uint16_t size = 0;
      memcpy(&size, buffer + at + 16, sizeof size);  // linux_dirent64::d_reclen
      f(buffer + at + 19);
      at += size;
    }
}

// `name` + `rest` under `directory`, opened. Names are numbers here, or "/proc/" and a number.
int open_below(int directory, const char* name, const char* rest, int flags) noexcept {
  char path[32];
  std::size_t i = 0;
  for (; name[i] != '\0' && i < 16; ++i)
    path[i] = name[i];
  for (std::size_t j = 0;; ++j) {
    path[i + j] = rest[j];
    if (rest[j] == '\0') break;
  }
  return static_cast<int>(call(__NR_openat, directory, address(path), flags | O_CLOEXEC));
}

long read_below(int directory, const char* name, const char* file, char (&text)[1024]) noexcept {
  const int fd = open_below(directory, name, file, O_RDONLY);
  if (fd < 0) return 0;
  const long got = call(__NR_read, fd, address(text), sizeof text);
  close_fd(fd);
  return got;
}

// The first two numbers: how long it ran, and how long it was on a run queue without running. What
// of the second is not its own doing is for the daemon to say, which knows what all of them ran.
std::uint64_t wanted_time(int directory, const char* name) noexcept {
  char text[1024];
  const long size = read_below(directory, name, "/schedstat", text);
  std::uint64_t numbers[2]{};
  long at = 0;
  for (std::uint64_t& number : numbers) {
    for (; at < size && text[at] >= '0' && text[at] <= '9'; ++at)
      number = number * 10 + static_cast<std::uint64_t>(text[at] - '0');
    ++at;
  }
  return numbers[0] + numbers[1];
}

// The call that a thread is in, and its first argument: "230 0x0 …", or "running" (-1). A sleep, or
// a select() of nothing, which is one. Whoever also waits for news in another thread (as runtimes
// do that keep a timer) is not asleep.
long look_at_call(Sum& sum, int directory, const char* name) noexcept {
  char text[1024];
  const long size = read_below(directory, name, "/syscall", text);
  if (size <= 0 || text[0] < '0' || text[0] > '9') return -1;
  long at = 0;
  while (at < size && text[at] != ' ')
    ++at;
  const bool of_nothing = at + 4 < size && text[at + 1] == '0' && text[at + 2] == 'x' &&
                          text[at + 3] == '0' && text[at + 4] == ' ';
  const long number = number_in(text);
  switch (number) {
    case __NR_nanosleep:
    case __NR_clock_nanosleep:
      sum.sleeps = true;
      break;
    case __NR_select:
    case __NR_pselect6:
      (of_nothing ? sum.sleeps : sum.listens) = true;
      break;
    case __NR_read:
    case __NR_readv:
    case __NR_poll:
    case __NR_ppoll:
    case __NR_epoll_wait:
    case __NR_epoll_pwait:
    case __NR_recvfrom:
    case __NR_recvmsg:
      sum.listens = true;
      break;
    default:
      break;
  }
  return number;
}

// Whoever vforks is in the same state (D) as one that waits for a device, as long as its child
// does nothing.
bool is_vfork(long number) noexcept {
  return number == __NR_vfork || number == __NR_clone || number == __NR_clone3;
}

// The state in a process's own stat is that of its first thread, which may sleep in a join.
void look_at_threads(Sum& sum, int proc, const char* name) noexcept {
  const int tasks = open_below(proc, name, "/task", O_RDONLY | O_DIRECTORY);
  if (tasks < 0) return;
  for_each_entry(tasks, [&](const char* thread) {
    char text[1024];
    if (thread[0] < '1' || thread[0] > '9') return;
    const long size = read_below(tasks, thread, "/stat", text);
    const long at = after_command(text, size > 0 ? size : 0) + 1;
    const char does = at < size ? text[at] : '\0';
    const long number = look_at_call(sum, tasks, thread);
    sum.busy = sum.busy || (does == 'D' && !is_vfork(number));
    sum.ready = sum.ready || does == 'R';
    const std::uint64_t wanted = wanted_time(tasks, thread);
    if (wanted > sum.wanted) sum.wanted = wanted;
  });
  close_fd(tasks);
}

void add_process(Sum& sum, int proc, const char* name, const char* text, long size) noexcept {
  long at = after_command(text, size);
  unsigned field = 0;
  for (++at; at < size; ++at, ++field) {
    std::uint64_t value = 0;
    for (; at < size && text[at] != ' '; ++at)
      value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    // Without a pid namespace /proc shows the whole host; ours are those in the session that init
    // began.
    const bool bare = state.plan->isolation == Isolation::None;
    if (field == kSession && bare && value != static_cast<std::uint64_t>(state.init_pid)) return;
    if (field >= kFirstTime && field <= kLastTime) sum.ticks += value;
    if (field == kResident) {
      if (sum.signal != 0 && number_in(text) != state.init_pid)
        call(__NR_kill, number_in(text), sum.signal);
      if (sum.looks_at_threads && is_program(name)) look_at_threads(sum, proc, name);
      sum.pages += value;
      return;
    }
  }
}

void visit_processes(Sum& sum) noexcept {
  const long proc =
      call(__NR_openat, AT_FDCWD, address("/proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  for_each_entry(static_cast<int>(proc), [&](const char* name) {
    char text[1024];
    if (name[0] < '1' || name[0] > '9') return;
    const long got = read_below(static_cast<int>(proc), name, "/stat", text);
    if (got > 0) add_process(sum, static_cast<int>(proc), name, text, got);
  });
  close_fd(static_cast<int>(proc));
}

}  // namespace

// A living process counts itself and the children it has waited for; init counts the orphans it has
// reaped.
void add_up_usage(ControlReply& reply) noexcept {
  Sum sum{};
  visit_processes(sum);
  reply.cpu_ns = sum.ticks * 10'000'000;  // USER_HZ is 100 on every x86-64
  reply.memory_bytes = sum.pages * 4096;
}

// Whether it would go on, and how long it could not.
void look_at_standing(ControlReply& reply) noexcept {
  Sum sum{};
  sum.looks_at_threads = true;
  visit_processes(sum);
  reply.awaits = sum.ready ? Awaits::Cpu : sum.busy ? Awaits::Device : Awaits::Other;
  reply.sleeps = sum.sleeps && !sum.listens ? 1 : 0;
  reply.wanted_ns = sum.wanted;
}

std::uint64_t wanted_time_of(const char* process) noexcept {
  return wanted_time(AT_FDCWD, process);
}

// In a box of its own everybody but us is the run's; without isolation only init's session is.
void signal_run(int signal) noexcept {
  if (state.plan->isolation == Isolation::Full) {
    call(__NR_kill, -1, signal);
    return;
  }
  Sum sum{};
  sum.signal = signal;
  visit_processes(sum);
}

}  // namespace assay::sandbox::inside
