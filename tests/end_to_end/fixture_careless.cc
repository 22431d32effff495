#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/ioprio.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "os/file.h"
#include "tests/end_to_end/careless.h"

namespace assay::test {
namespace {

void take_terminal() {
  int master = -1, slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) == 0 && ::setsid() > 0)
    (void)::ioctl(slave, TIOCSCTTY, 0);
}

void take_precedence() {
  const rlimit much{99, 99};
  (void)::setrlimit(RLIMIT_RTPRIO, &much);
  (void)::setrlimit(RLIMIT_NICE, &much);
  (void)::setpriority(PRIO_PROCESS, 0, -5);
  (void)::syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_RT, 4));
  const sched_param first{1};
  (void)::sched_setscheduler(0, SCHED_RR, &first);
  (void)os::write_whole("/proc/self/oom_score_adj", "-500");
}

void keep_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  (void)::syscall(SYS_capget, &header, sets);
  for (auto& set : sets)
    set.inheritable = set.permitted;
  (void)::syscall(SYS_capset, &header, sets);
  for (unsigned long capability = 0; capability < 41; ++capability)
    (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
}

void be_careless() {
  take_terminal();
  take_precedence();
  keep_capabilities();
  const gid_t groups[] = {0, 4, 27};
  (void)::setgroups(3, groups);
  (void)::prctl(PR_SET_TIMERSLACK, 1'000'000);
  (void)::personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC);
  for (const int number : {SIGPIPE, SIGHUP, SIGUSR1, SIGALRM, SIGXCPU, SIGXFSZ})
    ::signal(number, SIG_IGN);
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::umask(0077);
  (void)::setenv("SECRET", "of the starter", 1);
  (void)::open("/etc/hostname", O_RDONLY);  // NOLINT(android-cloexec-open): it is to be inherited
  (void)::open("/", O_RDONLY | O_DIRECTORY);
}

}  // namespace

Result<os::Process> start_carelessly(const std::string& program,
                                     std::span<const std::string> arguments,
                                     std::span<const int> fds) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) return system_error("fork");
  if (child == 0) {
    for (std::size_t i = 0; i < fds.size(); ++i)
      ::dup2(fds[i], static_cast<int>(i));
    be_careless();
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  const long pidfd = ::syscall(SYS_pidfd_open, child, 0);
  return os::Process(child, os::OwnedFd(static_cast<int>(pidfd)));
}

}  // namespace assay::test
