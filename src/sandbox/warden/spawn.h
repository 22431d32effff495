// Clones the launcher of a box into its namespaces.
#pragma once

#include "os/process.h"

namespace assay::sandbox::warden {

// Without isolation a program of root's engine still is not root: a daemon that was taken over must
// not gain by asking for it.
constexpr unsigned kNobody = 65534;

struct LauncherStart {
  int image = -1;   // sealed memfd with the launcher binary
  int boot = -1;    // becomes its descriptor 3
  int go = -1;      // read end of a pipe: one byte says that the user map is written
  int cgroup = -1;  // V2: start in there
  unsigned long long namespaces = 0;  // entered by the clone itself
  unsigned long long later = 0;       // and by the child: while it does, the warden can go on
  int core = -1;
};

// The child shares our memory until it execs: at most one may be on its way there.
Result<os::Process> clone_launcher(const LauncherStart& start);

// A launcher on its way, that waits for its id maps: the one byte on `go`.
struct StartedLauncher {
  os::Process process{};
  os::OwnedFd boot{};
  os::OwnedFd go{};
};

}  // namespace assay::sandbox::warden
