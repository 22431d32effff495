// A pseudo terminal for one command.
#pragma once

#include "os/fd.h"

namespace assay::exec {

struct Terminal {
  os::OwnedFd master{};  // ours
  os::OwnedFd slave{};   // the program's
};

Result<Terminal> make_terminal();

}  // namespace assay::exec
