// The three files of `sandbox`'s command line, opened as the original opens them.
#pragma once

#include "app/sandbox_noj/arguments.h"
#include "os/fd.h"

namespace assay::noj {

struct OpenStreams {
  os::OwnedFd input{}, output{}, errors{}, result{};
  bool relayed = false;  // the program gets a pipe of ours instead of `input`
};

// Outputs are made where they are missing and are not cut. A FIFO's other end may come later: it is
// tried for 2 s, and then opened for both directions, so that nobody waits for ever.
Result<OpenStreams> open_streams(const Arguments& arguments);

}  // namespace assay::noj
