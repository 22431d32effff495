#include "os/process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace assay::os {

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    Process old(std::exchange(pid_, std::exchange(other.pid_, 0)), std::move(pidfd_));
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

Process::~Process() {
  if (pid_ == 0) return;
  send_signal(SIGKILL);
  wait();
}

void Process::send_signal(int signal) const {
  if (pid_ != 0) ::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0);
}

int Process::wait() {
  const pid_t pid = std::exchange(pid_, 0);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Result<Process> spawn(const std::string& program, std::span<const std::string> arguments,
                      std::span<const int> fds) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Up first, then down: a source below fds.size() must not be overwritten before its turn.
  std::vector<OwnedFd> lifted;
  for (const int fd : fds)
    lifted.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(fds.size()) + 3));
  for (std::size_t i = 0; i < fds.size(); ++i)
    posix_spawn_file_actions_adddup2(&actions, lifted[i].get(), static_cast<int>(i));
  posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(fds.size()));
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return system_error(error, "start '" + program + "'");
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  return Process(pid, OwnedFd(pidfd));
}

void step_aside() {
  cpu_set_t all;
  const int here = ::sched_getcpu();
  if (here < 0 || ::sched_getaffinity(0, sizeof all, &all) < 0 || CPU_COUNT(&all) < 2) return;
  cpu_set_t others = all;
  CPU_CLR(here, &others);
  if (::sched_setaffinity(0, sizeof others, &others) == 0)
    (void)::sched_setaffinity(0, sizeof all, &all);
}

}  // namespace assay::os
