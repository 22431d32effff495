#include "app/daemon/slim.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

// glibc reads this before main() and nowhere else. The path by name: a process that was started as
// /proc/self/exe is called "exe" by everybody.
void use_flat_heap(char** argv) {
  constexpr const char* kVariable = "GLIBC_TUNABLES";
  if (std::getenv(kVariable) != nullptr) return;  // NOLINT(concurrency-mt-unsafe): one thread
  char path[PATH_MAX] = {};
  if (::readlink("/proc/self/exe", path, sizeof path - 1) < 0) return;
  ::setenv(kVariable, "glibc.malloc.tcache_count=0", 1);  // NOLINT(concurrency-mt-unsafe)
  ::execv(path, argv);
}

// Without the second the first large body that is freed makes the heap take the next ones, and keep
// them.
void limit_heaps(unsigned workers) {
  constexpr int kLarge = 128 * 1024;
  ::mallopt(M_ARENA_MAX, static_cast<int>(workers));
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
}

}  // namespace assay::daemon
