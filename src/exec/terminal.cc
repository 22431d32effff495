#include "exec/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

#include <algorithm>
#include <thread>

namespace assay::exec {
namespace {

using namespace std::chrono_literals;

constexpr auto kLook = 2ms;

// By descriptor, not by name: what is mounted at /dev/pts may be another instance.
Result<os::OwnedFd> open_peer(int master, int flags) {
  const int slave = ::ioctl(master, TIOCGPTPEER, flags | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) return system_error("open a terminal");
  return os::OwnedFd(slave);
}

Result<os::OwnedFd> open_master() {
  os::OwnedFd master = TRY(os::open("/dev/ptmx", O_RDWR | O_NOCTTY));
  int locked = 0;
  if (::ioctl(master.get(), TIOCSPTLCK, &locked) < 0) return system_error("unlock a terminal");
  return master;
}

Result<Terminal> make_one_way(int slave_flags) {
  Terminal terminal{.master = TRY(open_master())};
  termios settings{};
  if (::tcgetattr(terminal.master.get(), &settings) < 0) return system_error("read a terminal");
  ::cfmakeraw(&settings);
  if (::tcsetattr(terminal.master.get(), TCSANOW, &settings) < 0)
    return system_error("set up a terminal");
  terminal.slave = TRY(open_peer(terminal.master.get(), slave_flags));
  return terminal;
}

}  // namespace

Result<Terminal> make_terminal() {
  Terminal terminal{.master = TRY(open_master())};
  terminal.slave = TRY(open_peer(terminal.master.get(), O_RDWR));
  return terminal;
}

Result<Terminal> make_screen() {
  return make_one_way(O_WRONLY);
}

Result<std::unique_ptr<Keyboard>> Keyboard::make() {
  Terminal terminal = TRY(make_one_way(O_RDONLY));
  os::OwnedFd view = TRY(open_peer(terminal.master.get(), O_RDONLY | O_NONBLOCK));
  return std::make_unique<Keyboard>(std::move(terminal), std::move(view));
}

// What was typed comes to the reader's side by a worker of the kernel's: poll waits for that one,
// FIONREAD alone would miss what it has in its hands. After a hangup it says that the end can be
// read.
std::uint64_t Keyboard::count() const {
  if (!view_.is_open()) return left_;
  pollfd view{view_.get(), POLLIN, 0};
  const bool some = ::poll(&view, 1, 0) > 0 && (view.revents & (POLLIN | POLLHUP)) == POLLIN;
  int count = 0;
  if (::ioctl(view_.get(), FIONREAD, &count) < 0) count = 0;
  return std::max<std::uint64_t>(some ? 1 : 0, static_cast<std::uint64_t>(count));
}

// Nobody tells when the last byte is taken.
void Keyboard::await_read() {
  for (;;) {
    {
      const std::lock_guard held(mutex_);
      if (!view_.is_open() || count() == 0) return;
    }
    std::this_thread::sleep_for(kLook);
  }
}

void Keyboard::reader_has_gone() {
  const std::lock_guard held(mutex_);
  left_ = count();
  view_.reset();
}

std::uint64_t Keyboard::unread() {
  const std::lock_guard held(mutex_);
  return count();
}

}  // namespace assay::exec
