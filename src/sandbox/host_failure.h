// Whose failure an errno is, where both the program and the host can be the cause of an error.
#pragma once

#include <cerrno>

namespace assay::sandbox {

// These tell of the state of the host: no program can bring them about by what it is or leaves
// behind. Not ENOMEM and EAGAIN for an exec: a program that does not fit into its own limits has
// them, too.
constexpr bool is_the_hosts(int error) {
  return error == EIO || error == EMFILE || error == ENFILE || error == EINTR;
}

}  // namespace assay::sandbox
