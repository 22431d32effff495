// The daemon itself: engine, store, runner, service, doors, in this order, until a signal comes.
#pragma once

#include <sys/types.h>

#include "app/daemon/log.h"
#include "app/daemon/startup.h"
#include "os/fd.h"

namespace assay::daemon {

struct Wires {
  pid_t keeper = 0;
  os::OwnedFd host_files{};  // to the opener
  os::OwnedFd ready{};       // a byte when clients are served
};

int serve(Startup startup, Wires wires, const Log& log);  // the exit code

}  // namespace assay::daemon
