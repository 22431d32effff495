#include "app/daemon/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace assay::daemon {

Result<os::OwnedFd> take_signals(std::initializer_list<int> numbers) {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : numbers)
    ::sigaddset(&set, number);
  if (::pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) return system_error("block signals");
  os::OwnedFd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd.is_open()) return system_error("wait for signals");
  return fd;
}

int next_signal(const os::OwnedFd& signals) {
  signalfd_siginfo came{};
  if (::read(signals.get(), &came, sizeof came) != sizeof came) return 0;
  return static_cast<int>(came.ssi_signo);
}

void unblock_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace assay::daemon
