// The warden: the one privileged process. It makes and unmakes boxes and hands their descriptors to
// the daemon.
//
// Theory of operation. One thread, one socket (descriptor 3) to the daemon that started it, no
// network, no client bytes. A request names a profile from the root-owned directory it was started
// with, and host paths that this profile allows; nothing else of a request reaches the kernel. It
// is not on the path of a run: once a box is made, daemon and launcher talk directly. It waits for
// no box to die: one that takes its time is put aside (boxes.h) while others are served. End of
// file on the socket means that the daemon is gone: every box is unmade, every cgroup and directory
// of this instance removed, and the warden ends. If it is killed itself, every launcher dies with
// it (PDEATHSIG), and the next engine on this host removes what is left (instance.h).
#pragma once

#include <string>

#include "os/fd.h"

namespace assay::sandbox::warden {

struct WardenOptions {
  std::string profiles{};  // directory
  int socket = 3;
  bool cpu_quota = false;  // limits of the cpu rate will be asked for
};

// Serves until the daemon is gone. An Error means that it could not begin, or that a box would not
// end: then the process must end at once, and the next engine removes what is left.
Status serve(const WardenOptions& options);

}  // namespace assay::sandbox::warden
