// A door of the host that waits for callers, for tests in which nobody may come.
#pragma once

#include "os/fd.h"

namespace assay::test {

class Listener {
 public:
  Listener();  // on a free port of 127.0.0.1
  [[nodiscard]] unsigned port() const { return port_; }
  bool was_called();  // since it was asked last

 private:
  os::OwnedFd socket_;
  unsigned port_ = 0;
};

}  // namespace assay::test
