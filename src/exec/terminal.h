// Pseudo terminals for programs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "os/fd.h"

namespace assay::exec {

struct Terminal {
  os::OwnedFd master{};  // ours
  os::OwnedFd slave{};   // the program's
};

Result<Terminal> make_terminal();  // as people use one: it echoes, edits lines, sends signals

// Of one direction, and it passes every byte as it is: what is both at once could not end in one
// direction alone, as a pipe can. The program may only write.
Result<Terminal> make_screen();

// The same for what a program may only read. A terminal loses what nobody has read as soon as its
// last reader or its writer closes it: so we look at it ourselves while its program lives, and the
// writer waits before it closes.
class Keyboard {
 public:
  static Result<std::unique_ptr<Keyboard>> make();
  explicit Keyboard(Terminal terminal, os::OwnedFd view)
      : terminal_(std::move(terminal)), view_(std::move(view)) {}

  os::OwnedFd take_master() { return std::move(terminal_.master); }
  os::OwnedFd take_slave() { return std::move(terminal_.slave); }

  // On the thread that writes: returns when all is read, or the program was said to be gone.
  void await_read();
  void reader_has_gone();  // from any thread; then the writer sees a hangup
  [[nodiscard]] std::uint64_t unread();

 private:
  [[nodiscard]] std::uint64_t count() const;  // the mutex is held

  Terminal terminal_;
  std::mutex mutex_;
  os::OwnedFd view_;  // a reader that never reads; closed: the program has gone
  std::uint64_t left_ = 0;
};

}  // namespace assay::exec
