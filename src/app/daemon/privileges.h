// Whom the processes of the daemon become when they were started by root. Giving up is for good.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"

namespace assay::daemon {

struct Identity {
  uid_t user = 0;
  gid_t group = 0;
};

// "name", "uid" or "uid:gid"; "": the user 'assay' if there is one, else nobody. For somebody who
// is not root: who we are.
Result<Identity> find_identity(const std::string& user);

Status give_up_root(const Identity& identity);

// The same, but for the right to open any file for reading.
Status keep_only_reading(const Identity& identity);

// Dies with its parent. After the last change of identity: that clears it.
Status leash_to(pid_t parent);

}  // namespace assay::daemon
