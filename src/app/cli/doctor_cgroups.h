// Which cgroups the engine would take on this host, by the rules of the warden.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/cli/doctor.h"

namespace assay::cli::checkup {

inline constexpr std::array kNeedsV1{"memory", "cpuacct", "freezer", "pids"};
inline constexpr std::array kNeedsV2{"cpu", "memory", "pids"};

bool uses_v2(const Host& host);  // the unified hierarchy has the memory controller
bool uses_v1(const Host& host);  // it has not, and some v1 hierarchy is there

// V2: the directory in which the engine makes its own: the real root for root, else the cgroup we
// are in.
std::string base_v2(const Host& host);

// Some cgroup below `mount` that has `marker`: files of a controller do not exist in the root of a
// hierarchy.
std::optional<std::string> cgroup_having(const std::string& mount, const std::string& marker);

// The files by which limits are kept and use is measured.
std::span<const Check> meter_checks();

}  // namespace assay::cli::checkup
