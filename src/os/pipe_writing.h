// What write() means into a pipe or terminal that does not block.
#pragma once

#include <cerrno>

namespace assay::os {

// Nothing was taken, and the reader is still there. ENOMEM: the kernel has no page for the bytes
// just now; who took that for a reader that is gone would lose them in silence.
inline bool takes_later(int error) {
  return error == EAGAIN || error == ENOMEM;
}

}  // namespace assay::os
