// What a live engine holds of the host, read from /proc and cgroupfs: memory, descriptors,
// processes, cgroups, mounts.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace assay::cli {

std::string proc(pid_t process, const char* file);  // the path

struct Resident {
  std::int64_t rss_kib = 0;
  std::int64_t pss_kib = 0;  // pages that several processes map are divided among them
};
Result<Resident> resident_of(pid_t process);

std::int64_t mounts_of(pid_t process);
std::int64_t directories_of(const std::string& instance);  // in the runtime directory

std::vector<pid_t> children_of(pid_t process);
std::vector<pid_t> descendants_of(pid_t process);

// Of the processes that share one address space, all but the first are left out.
std::vector<pid_t> distinct_memories(const std::vector<pid_t>& processes);

// Counts of everything that a run could leave behind. Equal counts at two quiet moments: nothing
// was left.
struct Traces {
  std::int64_t our_descriptors = 0;
  std::int64_t warden_descriptors = 0;
  std::int64_t box_descriptors = 0;  // of the launchers
  std::int64_t processes = 0;        // below the warden
  std::int64_t cgroups = 0;          // directories in or below those of this engine
  std::int64_t our_mounts = 0;
  std::int64_t box_mounts = 0;
  std::int64_t directories = 0;  // this engine's entries in the runtime directory
  bool operator==(const Traces&) const = default;
};

struct TraceField {
  const char* name;
  std::int64_t Traces::* count;
};
inline constexpr TraceField kTraceFields[] = {
    {"our_descriptors", &Traces::our_descriptors},
    {"warden_descriptors", &Traces::warden_descriptors},
    {"box_descriptors", &Traces::box_descriptors},
    {"processes", &Traces::processes},
    {"cgroups", &Traces::cgroups},
    {"our_mounts", &Traces::our_mounts},
    {"box_mounts", &Traces::box_mounts},
    {"directories", &Traces::directories},
};

// Looks until two looks agree: a box that is ready may still be mounting its next /proc.
Result<Traces> settled_traces(pid_t warden, const std::string& instance);

}  // namespace assay::cli
