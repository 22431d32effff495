// Which cores a thread may run on.
#pragma once

#include <sched.h>

#include <span>
#include <vector>

namespace assay::os {

std::vector<unsigned> usable_cores();  // by the calling thread

// From now on the calling thread, and whatever it starts, runs on these alone. None: nothing
// changes, as when they cannot be had: where one runs is a matter of speed.
void stay_on(std::span<const unsigned> cores);

// For as long as this is there.
class Stay {
 public:
  explicit Stay(std::span<const unsigned> cores);
  ~Stay();
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;

 private:
  cpu_set_t before_{};
  bool moved_ = false;
};

}  // namespace assay::os
