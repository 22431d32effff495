#include "os/cores.h"

namespace assay::os {

std::vector<unsigned> usable_cores() {
  cpu_set_t set;
  std::vector<unsigned> cores;
  if (::sched_getaffinity(0, sizeof set, &set) < 0) return {0};
  for (unsigned core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

void stay_on(std::span<const unsigned> cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned core : cores)
    if (core < CPU_SETSIZE) CPU_SET(core, &set);
  if (!cores.empty()) (void)::sched_setaffinity(0, sizeof set, &set);
}

Stay::Stay(std::span<const unsigned> cores)
    : moved_(!cores.empty() && ::sched_getaffinity(0, sizeof before_, &before_) == 0) {
  if (moved_) stay_on(cores);
}

Stay::~Stay() {
  if (moved_) (void)::sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace assay::os
