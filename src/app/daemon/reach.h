// What a box can reach on this host. It opens what it shows with ids of its own, which own nothing
// (and with the groups that we were started with): it gets where strangers may go.
#pragma once

#include <optional>
#include <string>

#include "app/daemon/config/box.h"

namespace assay::daemon {

constexpr Bytes kMostCopied = 1_MiB;  // of one file that is shown as a copy

// None: it can be reached, or nobody can tell. Only root's boxes have less rights than we.
std::optional<Obstacle> obstacle_to(const std::string& path);

}  // namespace assay::daemon
