#include "exec/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

namespace assay::exec {

// By descriptor, not by name: what is mounted at /dev/pts may be another instance.
Result<Terminal> make_terminal() {
  Terminal terminal;
  terminal.master = TRY(os::open("/dev/ptmx", O_RDWR | O_NOCTTY));
  int locked = 0;
  if (::ioctl(terminal.master.get(), TIOCSPTLCK, &locked) < 0)
    return system_error("unlock a terminal");
  const int slave = ::ioctl(terminal.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) return system_error("open a terminal");
  terminal.slave = os::OwnedFd(slave);
  return terminal;
}

}  // namespace assay::exec
