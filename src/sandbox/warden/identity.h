// Who the processes of a box are on the host.
#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "sandbox/warden/box.h"

namespace assay::sandbox::warden {

struct BoxIds {
  std::uint32_t root = 0;     // host id of the box's root
  std::uint32_t program = 0;  // host id of its programs
};

// The way this process can map ids, found by looking at its privileges and /etc/subuid.
Identities find_identities();

BoxIds ids_of(const Workshop& workshop, unsigned box);

// Writes the user and group map of a cloned launcher. Safe for the host: no mapped id belongs to a
// real user, or, when we are a plain user, all of them are our own.
Status write_id_maps(const Workshop& workshop, const Profile& profile, pid_t launcher,
                     const BoxIds& ids);

}  // namespace assay::sandbox::warden
