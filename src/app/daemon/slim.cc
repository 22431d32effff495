#include "app/daemon/slim.h"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

namespace assay::daemon {

// Only mappings that can be executed: those have no relocations, so nothing is lost with a page.
// Data that was relocated and then protected looks like a file, too, and would come back
// unrelocated.
void forget_code() {
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return;
  std::uintptr_t begin = 0, end = 0;
  char access[5] = {};
  unsigned long inode = 0;
  char line[4352];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    const int got = std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu", &begin, &end,
                                access, &inode);
    if (got == 4 && access[1] == '-' && access[2] == 'x' && inode != 0)
      ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);  // NOLINT
  }
  std::fclose(maps);
}

}  // namespace assay::daemon
