// Runs a command under ptrace and fails one system call of one process of its tree, or lists them.
//
// A process is named by its birth: "0" is the command, "0/1" its second child, "0/1/0" that one's
// first. Threads count as their process. A pattern (as of path names) may name several; calls are
// then counted over all of them. From the moment a process that is `--program` births deep has
// executed something, it and all below are strangers: not listed, not failed.
//
// usage: inject [--program DEPTH] --report FILE [--role PATTERN --call NUMBER [--manner MANNER]
// --nth N --error ERRNO] -- COMMAND...
//
// The report: "call ROLE NUMBER MANNER" for each call (only without --role), "fired ROLE", "crash
// ROLE SIGNAL", "left ROLE PID" for what still runs ten seconds after the command has ended (and is
// killed then). Ends as the command does.
//
// The manner tells calls apart that have errors of their own: "soon" does not wait (of a socket, a
// pipe or a terminal), "makes" may make a file, "grows" asks brk for memory, "sets" a limit,
// fcntl "copies" a descriptor, "locks" or "unlocks", "plain" is all else. With --manner only such
// calls are counted.
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Wish {
  std::string report{};
  std::string role{};
  std::string manner{};
  long call = -1;
  long nth = 1;
  long error = 0;
  long program_depth = 1000;
  char** command = nullptr;
};

struct Process {
  std::string role{};
  unsigned children = 0;
  bool stranger = false;
};

struct Tracee {
  pid_t process = 0;  // its thread group
  bool failing = false;
  unsigned long argument = 0;  // the first one of a failing brk
};

struct Tree {
  std::map<pid_t, Tracee> tracees{};
  std::map<pid_t, Process> processes{};
  std::vector<pid_t> early{};  // stopped before their parent has told of them
};

pid_t process_of(pid_t thread) {
  std::ifstream lines("/proc/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("Tgid:")) return std::atoi(line.c_str() + 5);
  return thread;
}

long depth_of(const std::string& role) {
  return std::ranges::count(role, '/');
}

// The flags of an open descriptor that may say "not now": not of a file, which never does, nor of a
// pipe that is read, which never does while there is something in it (and a lie about that would be
// taken for its end), nor of an eventfd that is written, which would need 2^64 events for it.
unsigned long flags_of(pid_t pid, unsigned long fd, bool writes) {
  const std::string of = "/proc/" + std::to_string(pid);
  const std::string link = of + "/fd/" + std::to_string(fd);
  struct stat state{};
  if (::stat(link.c_str(), &state) != 0 || S_ISREG(state.st_mode) || S_ISDIR(state.st_mode))
    return 0;
  if (!writes && S_ISFIFO(state.st_mode)) return 0;
  char name[64] = {};
  const bool named = ::readlink(link.c_str(), name, sizeof name - 1) > 0;
  if (writes && named && std::strstr(name, "eventfd") != nullptr) return 0;
  std::ifstream lines(of + "/fdinfo/" + std::to_string(fd));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("flags:")) return std::strtoul(line.c_str() + 6, nullptr, 8);
  return 0;
}

// brk within its last page takes none, and cannot fail.
bool takes_memory(pid_t pid, unsigned long new_end) {
  std::ifstream lines("/proc/" + std::to_string(pid) + "/maps");
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with("[heap]"))
      return new_end > std::strtoul(line.c_str() + line.find('-') + 1, nullptr, 16);
  return new_end != 0;
}

// To give a lock back takes nothing, and cannot fail; only F_SETLKW waits, and nobody asks for
// that.
const char* manner_of_fcntl(pid_t pid, unsigned long command, unsigned long argument) {
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return "copies";
  if (command != F_SETLK && command != F_OFD_SETLK) return "plain";
  const auto type = static_cast<short>(::ptrace(PTRACE_PEEKDATA, pid, argument, 0));
  return type == F_UNLCK ? "unlocks" : "locks";
}

const char* manner_of(pid_t pid, const __ptrace_syscall_info& info) {
  const auto& args = info.entry.args;
  const auto makes = [](unsigned long flags) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? "makes" : "plain";
  };
  const auto soon = [&](bool writes, unsigned long message_flags = 0) {
    const bool asked = (message_flags & MSG_DONTWAIT) != 0;
    return asked || (flags_of(pid, args[0], writes) & O_NONBLOCK) != 0 ? "soon" : "plain";
  };
  switch (info.entry.nr) {
    case SYS_open:
      return makes(args[1]);
    case SYS_openat:
      return makes(args[2]);
    case SYS_openat2:  // struct open_how begins with the flags
      return makes(static_cast<unsigned long>(::ptrace(PTRACE_PEEKDATA, pid, args[2], 0)));
    case SYS_brk:
      return takes_memory(pid, args[0]) ? "grows" : "plain";
    case SYS_fcntl:
      return manner_of_fcntl(pid, args[1], args[2]);
    case SYS_prlimit64:
      return args[2] != 0 ? "sets" : "plain";
    case SYS_read:
    case SYS_readv:
    case SYS_accept4:
      return soon(false);
    case SYS_write:
    case SYS_writev:
    case SYS_sendfile:
      return soon(true);
    case SYS_sendmsg:
      return soon(true, args[2]);
    case SYS_recvmsg:
      return soon(false, args[2]);
    case SYS_sendto:
      return soon(true, args[3]);
    case SYS_recvfrom:
      return soon(false, args[3]);
    default:
      return "plain";
  }
}

class Tracer {
 public:
  explicit Tracer(const Wish& wish) : wish_(wish), report_(wish.report) {}

  int run() {
    const pid_t root = start();
    int status = 0;
    int code = 1;
    Clock::time_point over = Clock::time_point::max();
    while (!tree_.tracees.empty()) {
      const pid_t pid =
          ::waitpid(-1, &status, __WALL | (over == Clock::time_point::max() ? 0 : WNOHANG));
      if (pid < 0) break;
      if (pid == 0) {
        if (Clock::now() > over + std::chrono::seconds(10)) return kill_rest(code);
        ::usleep(2000);
        continue;
      }
      if (WIFSTOPPED(status)) {
        stopped(pid, status);
        continue;
      }
      ended(pid, status);
      if (pid != root) continue;
      code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      over = Clock::now();
    }
    return code;
  }

 private:
  pid_t start() {
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::ptrace(PTRACE_TRACEME, 0, 0, 0);
      ::raise(SIGSTOP);
      ::execvp(wish_.command[0], wish_.command);
      ::_exit(127);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    ::ptrace(PTRACE_SETOPTIONS, pid, 0,
             PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    tree_.processes[pid] = {.role = "0"};
    tree_.tracees[pid] = {.process = pid};
    go_on(pid, 0);
    return pid;
  }

  static void go_on(pid_t pid, int signal) { ::ptrace(PTRACE_SYSCALL, pid, 0, signal); }

  void stopped(pid_t pid, int status) {
    const auto known = tree_.tracees.find(pid);
    if (known == tree_.tracees.end()) {
      tree_.early.push_back(pid);
      return;
    }
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    if (signal == (SIGTRAP | 0x80)) {
      system_call(pid, known->second);
      return go_on(pid, 0);
    }
    if (event != 0) {
      happened(pid, event);
      return go_on(pid, 0);
    }
    if (signal == SIGSTOP && fresh_.erase(pid) > 0) return go_on(pid, 0);
    go_on(pid, signal);
  }

  void happened(pid_t pid, int event) {
    Process& parent = tree_.processes[tree_.tracees[pid].process];
    if (event == PTRACE_EVENT_EXEC && depth_of(parent.role) >= wish_.program_depth)
      parent.stranger = true;
    if (event != PTRACE_EVENT_FORK && event != PTRACE_EVENT_VFORK && event != PTRACE_EVENT_CLONE)
      return;
    unsigned long child = 0;
    ::ptrace(PTRACE_GETEVENTMSG, pid, 0, &child);
    adopt(static_cast<pid_t>(child), parent);
  }

  void adopt(pid_t child, Process& parent) {
    const pid_t process = process_of(child);
    if (process == child && !tree_.processes.contains(child)) {
      tree_.processes[child] = {.role = parent.role + "/" + std::to_string(parent.children++),
                                .stranger = parent.stranger};
    }
    tree_.tracees[child] = {.process = process};
    if (std::erase(tree_.early, child) > 0)
      go_on(child, 0);
    else
      fresh_[child] = true;
  }

  void system_call(pid_t pid, Tracee& tracee) {
    const Process& process = tree_.processes[tracee.process];
    if (process.stranger) return;
    __ptrace_syscall_info info{};
    ::ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info);
    if (info.op == PTRACE_SYSCALL_INFO_EXIT && tracee.failing) failed(pid, tracee);
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    if (wish_.role.empty()) {
      report_ << "call " << process.role << ' ' << info.entry.nr << ' ' << manner_of(pid, info)
              << '\n';
      return;
    }
    if (static_cast<long>(info.entry.nr) != wish_.call ||
        ::fnmatch(wish_.role.c_str(), process.role.c_str(), FNM_PATHNAME) != 0 ||
        (!wish_.manner.empty() && wish_.manner != manner_of(pid, info)) || ++seen_ != wish_.nth)
      return;
    fail(pid, tracee, info.entry.args[0]);
    report_ << "fired " << process.role << std::endl;
  }

  void fail(pid_t pid, Tracee& tracee, unsigned long argument) const {
    tracee.failing = true;
    tracee.argument = argument;
    // brk has no errors: where there is no memory, it tells the end as it is. So does brk(0).
    if (wish_.call == SYS_brk)
      ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs.rdi), 0);
    else  // instead of the call, one that does nothing and passes every filter that the call passes
      ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs.orig_rax), SYS_getpid);
  }

  void failed(pid_t pid, Tracee& tracee) const {
    tracee.failing = false;
    if (wish_.call == SYS_brk)
      ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs.rdi), tracee.argument);
    else
      ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs.rax), -wish_.error);
  }

  void ended(pid_t pid, int status) {
    const auto known = tree_.tracees.find(pid);
    if (known == tree_.tracees.end()) return;
    const Process& process = tree_.processes[known->second.process];
    constexpr int kCrashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    if (WIFSIGNALED(status) && !process.stranger && known->second.process == pid &&
        std::ranges::find(kCrashes, WTERMSIG(status)) != std::end(kCrashes))
      report_ << "crash " << process.role << ' ' << WTERMSIG(status) << std::endl;
    if (known->second.process == pid) tree_.processes.erase(pid);
    tree_.tracees.erase(known);
  }

  int kill_rest(int code) {
    for (const auto& [pid, tracee] : tree_.tracees) {
      report_ << "left " << tree_.processes[tracee.process].role << ' ' << pid << std::endl;
      ::kill(pid, SIGKILL);
    }
    return code;
  }

  const Wish& wish_;
  std::ofstream report_;
  Tree tree_;
  std::map<pid_t, bool> fresh_{};  // their first stop is that of being traced
  long seen_ = 0;
};

bool read_arguments(int argc, char** argv, Wish& wish) {
  const std::map<std::string, long*> numbers{{"--call", &wish.call},
                                             {"--nth", &wish.nth},
                                             {"--error", &wish.error},
                                             {"--program", &wish.program_depth}};
  int at = 1;
  for (; at + 1 < argc && std::strcmp(argv[at], "--") != 0; at += 2) {
    const std::string name = argv[at];
    if (const auto number = numbers.find(name); number != numbers.end())
      *number->second = std::atol(argv[at + 1]);
    else if (name == "--report")
      wish.report = argv[at + 1];
    else if (name == "--role")
      wish.role = argv[at + 1];
    else if (name == "--manner")
      wish.manner = argv[at + 1];
    else
      return false;
  }
  wish.command = argv + at + 1;
  return at + 1 < argc && !wish.report.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Wish wish;
  if (!read_arguments(argc, argv, wish)) {
    std::fputs("inject: see the top of inject.cc\n", stderr);
    return 125;
  }
  return Tracer(wish).run();
}
