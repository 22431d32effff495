// The keeper: the process that was started. It prepares everything, starts the daemon and the
// opener of host files, passes signals on, and waits. It never reads a client byte.
//
//   keeper  root or the user: runtime directory, signals, exit code
//   |- opener   may read any file, nothing else; ends with the daemon's end of its socket
//   `- daemon   no privilege; killed when the keeper dies
//      `- warden   root; ends, with all its boxes, when the daemon's end of its socket closes
#pragma once

#include "app/daemon/config/options.h"
#include "app/daemon/log.h"

namespace assay::daemon {

int keep(const Chosen& chosen, const Log& log);  // the exit code

}  // namespace assay::daemon
