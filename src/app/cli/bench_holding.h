// What a daemon holds of the host while nothing runs in it. How many boxes it keeps is its own
// affair and changes with the load; so what belongs to a living box is counted by box.
#pragma once

#include <cstdint>

#include "app/cli/bench_server.h"

namespace assay::cli {

struct Holding {
  std::int64_t memory_kib = 0;  // of daemon, warden, keeper and opener
  std::int64_t stored_files = 0;
  std::int64_t directories = 0;         // of its engine, in the runtime directory
  std::int64_t descriptors = 0;         // other than handles of boxes
  std::int64_t handles_per_box = 0;     // descriptors of the daemon and the warden
  std::int64_t descriptors_in_box = 0;  // in the box that has most
  std::int64_t mounts_in_box = 0;       // likewise
  std::int64_t stray_processes = 0;     // below the warden, neither a launcher nor its init
  std::int64_t stray_cgroups = 0;       // of no living box
  std::int64_t boxes = 0;
  bool operator==(const Holding&) const = default;
};

struct HoldingField {
  const char* name;
  std::int64_t Holding::* count;
};
// Those that may not grow.
inline constexpr HoldingField kHoldingFields[] = {
    {"stored_files", &Holding::stored_files},
    {"directories", &Holding::directories},
    {"descriptors", &Holding::descriptors},
    {"handles_per_box", &Holding::handles_per_box},
    {"descriptors_in_box", &Holding::descriptors_in_box},
    {"mounts_in_box", &Holding::mounts_in_box},
    {"stray_processes", &Holding::stray_processes},
    {"stray_cgroups", &Holding::stray_cgroups},
};

// Looks until two looks agree but for the memory.
Result<Holding> holding_of(const BenchServer& server);

}  // namespace assay::cli
