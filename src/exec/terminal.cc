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

constexpr auto kLook = 2ms, kSeldom = 20ms;
constexpr char kEnd = 4;
constexpr std::size_t kMostEnds = 64;  // a program may look again after it has seen the end

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

// With nothing else set, every byte passes as it is.
Status set_up(int master, unsigned local_modes) {
  termios settings{};
  if (::tcgetattr(master, &settings) < 0) return system_error("read a terminal");
  ::cfmakeraw(&settings);
  settings.c_lflag = local_modes;
  std::ranges::fill(settings.c_cc, static_cast<cc_t>(_POSIX_VDISABLE));
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if ((local_modes & ICANON) != 0) settings.c_cc[VEOF] = kEnd;
  if (::tcsetattr(master, TCSANOW, &settings) < 0) return system_error("set up a terminal");
  return {};
}

// In lines, but whoever types has made them already (EXTPROC), so that every byte passes as it is.
// A reader that began to wait in a raw terminal would never see an end, whatever is set or typed
// later; one that began in lines does. Before the first byte was read the kernel takes a full
// terminal for one endless line and forgets what comes: so a first byte is typed and read.
Status set_up_keyboard(int master, int view) {
  TRY_STATUS(set_up(master, ICANON | EXTPROC));
  char first = '\n';
  if (::write(master, &first, 1) != 1) return system_error("try a terminal");
  pollfd typed{view, POLLIN, 0};
  if (::poll(&typed, 1, -1) < 0 || ::read(view, &first, 1) != 1)
    return system_error("try a terminal");
  return {};
}

Result<Terminal> make_one_way(int slave_flags) {
  Terminal terminal{.master = TRY(open_master())};
  TRY_STATUS(set_up(terminal.master.get(), 0));
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
  TRY_STATUS(set_up_keyboard(terminal.master.get(), view.get()));
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
  for (auto nap = kLook;; nap = std::min(nap * 2, kSeldom)) {
    {
      const std::lock_guard held(mutex_);
      if (!view_.is_open() || count() == 0) return;
    }
    std::this_thread::sleep_for(nap);
  }
}

// A terminal that cannot be set up is hung up, which is an end of a kind.
void Keyboard::end(int master) {
  await_read();
  {
    const std::lock_guard held(mutex_);
    if (!view_.is_open()) return;
    ending_ = true;
  }
  if (!set_up(master, ICANON)) return;
  const std::string ends(kMostEnds, kEnd);
  if (::write(master, ends.data(), ends.size()) < 0) return;
  await_read();
}

void Keyboard::reader_has_gone() {
  const std::lock_guard held(mutex_);
  left_ = ending_ ? 0 : count();
  view_.reset();
}

std::uint64_t Keyboard::unread() {
  const std::lock_guard held(mutex_);
  return ending_ ? 0 : count();
}

}  // namespace assay::exec
