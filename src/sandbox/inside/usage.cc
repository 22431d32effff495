// What the run has used so far, where no cgroup counts it: from /proc, and therefore only to a
// clock tick.
#include <fcntl.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

struct Sum {
  std::uint64_t ticks;
  std::uint64_t pages;
  int signal;  // sent to each process that counts; 0: none
};

// Fields of /proc/PID/stat after the command's closing bracket, counted from the state as 0.
constexpr unsigned kSession = 3;
constexpr unsigned kFirstTime = 11;  // utime, stime, cutime, cstime
constexpr unsigned kLastTime = 14;
constexpr unsigned kResident = 21;

long pid_of(const char* text) noexcept {
  long pid = 0;
  for (; *text >= '0' && *text <= '9'; ++text)
    pid = pid * 10 + (*text - '0');
  return pid;
}

void add_process(Sum& sum, const char* text, long size) noexcept {
  long at = size;
  while (at > 0 && text[at - 1] != ')')
    --at;
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
      if (sum.signal != 0 && pid_of(text) != state.init_pid)
        call(__NR_kill, pid_of(text), sum.signal);
      sum.pages += value;
      return;
    }
  }
}

void add_directory(Sum& sum, int proc, const char* name) noexcept {
  if (name[0] < '1' || name[0] > '9') return;
  char path[32];
  std::size_t i = 0;
  for (; name[i] != '\0' && i < 16; ++i)
    path[i] = name[i];
  memcpy(path + i, "/stat", 6);
  const long fd = call(__NR_openat, proc, address(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char text[1024];
  const long got = call(__NR_read, fd, address(text), sizeof text);
  close_fd(static_cast<int>(fd));
  if (got > 0) add_process(sum, text, got);
}

void visit_processes(Sum& sum) noexcept {
  const long proc =
      call(__NR_openat, AT_FDCWD, address("/proc"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  alignas(8) char buffer[2048];
  for (long got = 0; (got = call(__NR_getdents64, proc, address(buffer), sizeof buffer)) > 0;) {
    for (long at = 0; at < got;) {
      std::uint16_t size = 0;
      memcpy(&size, buffer + at + 16, sizeof size);  // linux_dirent64::d_reclen
      add_directory(sum, static_cast<int>(proc), buffer + at + 19);
      at += size;
    }
  }
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
