#include "app/cli/unprivileged.h"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace assay::cli {
namespace {

bool give_up_root() {
  return ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
         ::setresuid(kNobody, kNobody, kNobody) == 0 &&
         ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

[[noreturn]] void work_and_leave(const std::function<int()>& work, pid_t parent) {
  // In this order: changing the user id clears the death signal, and the parent may be gone
  // already.
  if ((::geteuid() == 0 && !give_up_root()) || ::prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
      ::getppid() != parent)
    ::_exit(2);
  const int code = work();
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace

Result<int> run_unprivileged(Afterwards afterwards, const std::function<int()>& work) {
  if (::geteuid() != 0) return work();
  if (afterwards == Afterwards::NeedsNone) {
    if (!give_up_root()) return system_error("give up root");
    return work();
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return system_error("start an unprivileged process");
  if (child == 0) work_and_leave(work, parent);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status))
    return invalid("the unprivileged part was killed by signal " +
                   std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

Result<os::Process> start_unprivileged(const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return system_error("start an unprivileged process");
  if (child == 0) work_and_leave(work, parent);
  os::OwnedFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (!pidfd.is_open()) {
    const auto error = system_error("watch an unprivileged process");
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return error;
  }
  return os::Process(child, std::move(pidfd));
}

}  // namespace assay::cli
