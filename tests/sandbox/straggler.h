// Keeps a box from ending for as long as a test wants.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "os/fd.h"

namespace assay::test {

// A process in the pid namespace of a box whose parent is not in there. It dies with the box, but
// pid 1 of a namespace ends only when all others in it have been reaped, and that one is reaped
// when the test lets it go. Needs root. If the test dies, so does the parent, and nothing is left.
class Straggler {
 public:
  explicit Straggler(pid_t launcher) {
    os::Pipe hold = os::make_pipe().value();
    os::Pipe there = os::make_pipe().value();
    const os::OwnedFd space(
        ::open(("/proc/" + std::to_string(launcher) + "/ns/pid").c_str(), O_RDONLY | O_CLOEXEC));
    parent_ = ::fork();
    if (parent_ == 0) wait_in(space.get(), hold.read_end.get(), there.write_end.get());
    there.write_end.reset();
    char byte = 0;
    is_there_ = ::read(there.read_end.get(), &byte, 1) == 1;
    hold_ = std::move(hold.write_end);
  }
  ~Straggler() { let_go(); }
  Straggler(const Straggler&) = delete;
  Straggler& operator=(const Straggler&) = delete;

  [[nodiscard]] bool is_there() const { return is_there_; }
  void let_go() {
    hold_.reset();
    if (parent_ > 0) ::waitpid(parent_, nullptr, 0);
    parent_ = 0;
  }

 private:
  // The caller has threads: after its fork only system calls. Of its descriptors nothing is kept:
  // the end of some of them is what others wait for.
  [[noreturn]] static void wait_in(int space, int hold, int there) {
    if (::setns(space, CLONE_NEWPID) < 0) ::_exit(1);
    if (::dup2(hold, 0) < 0 || ::dup2(there, 1) < 0 || ::close_range(2, ~0U, 0) < 0) ::_exit(1);
    const pid_t straggler = ::fork();
    if (straggler < 0) ::_exit(1);
    if (straggler == 0) {
      ::close_range(0, ~0U, 0);
      for (;;)
        ::pause();
    }
    (void)!::write(1, "1", 1);
    char byte = 0;
    while (::read(0, &byte, 1) > 0) {
    }
    ::kill(straggler, SIGKILL);
    ::waitpid(straggler, nullptr, 0);
    ::_exit(0);
  }

  pid_t parent_ = 0;
  bool is_there_ = false;
  os::OwnedFd hold_;
};

}  // namespace assay::test
