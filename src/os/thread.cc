#include "os/thread.h"

#include <string>

#include "os/file.h"

namespace assay::os {

bool would_go_on(int thread) {
  const auto stat = read_whole("/proc/self/task/" + std::to_string(thread) + "/stat");
  if (!stat) return false;
  const std::size_t state = stat->rfind(") ");  // the name may hold brackets of its own
  if (state == std::string::npos || state + 2 >= stat->size()) return false;
  return (*stat)[state + 2] == 'R' || (*stat)[state + 2] == 'D';
}

}  // namespace assay::os
