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
// last reader or its writer closes it, and a reader that waits then gets EIO instead of an end: so
// we look at it ourselves while its program lives, and the end is typed.
class Keyboard {
 public:
  static Result<std::unique_ptr<Keyboard>> make();
  explicit Keyboard(Terminal terminal, os::OwnedFd view)
      : terminal_(std::move(terminal)), view_(std::move(view)) {}

  os::OwnedFd take_master() { return std::move(terminal_.master); }
  os::OwnedFd take_slave() { return std::move(terminal_.slave); }

  // On the thread that writes: returns when all is read and the end has been seen as often as
  // anybody looks, or the program was said to be gone.
  void end(int master);
  void reader_has_gone();  // from any thread; then the writer sees a hangup
  [[nodiscard]] std::uint64_t unread();

 private:
  void await_read();
  [[nodiscard]] std::uint64_t count() const;  // the mutex is held

  Terminal terminal_;
  std::mutex mutex_;
  os::OwnedFd view_;  // a reader that never reads; closed: the program has gone
  std::uint64_t left_ = 0;
  bool ending_ = false;  // all was read; what is in there now are ends
};

}  // namespace assay::exec
