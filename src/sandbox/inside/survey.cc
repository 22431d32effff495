// Did the program fill a file up to the size limit? Programs that ignore SIGXFSZ (CPython does)
// only see a failed write and exit as if by an error of their own; the size of the file tells.
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "sandbox/inside/state.h"

namespace assay::sandbox::inside {
namespace {

constexpr unsigned kMostEntries = 20000;  // hostile trees may be endless
constexpr unsigned kMostDepth = 16;

struct Entry {  // linux_dirent64
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  unsigned char type;
  char name[1];
};

struct Search {
  std::uint64_t limit;
  unsigned entries_left;
};

bool is_dot(const char* name) noexcept {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

bool search(Search& s, int directory, unsigned depth) noexcept;

bool look_at(Search& s, int directory, const Entry& entry, unsigned depth) noexcept {
  if (entry.type == DT_REG) {
    struct stat found{};
    return call(__NR_newfstatat, directory, address(entry.name), address(&found),
                AT_SYMLINK_NOFOLLOW) >= 0 &&
           static_cast<std::uint64_t>(found.st_size) >= s.limit;
  }
  if (entry.type != DT_DIR || is_dot(entry.name) || depth == 0) return false;
  const long fd = call(__NR_openat, directory, address(entry.name),
                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  const bool over = search(s, static_cast<int>(fd), depth - 1);
  close_fd(static_cast<int>(fd));
  return over;
}

bool search(Search& s, int directory, unsigned depth) noexcept {
  alignas(8) char buffer[1024];
  for (;;) {
    const long got = call(__NR_getdents64, directory, address(buffer), sizeof buffer);
    if (got <= 0) return false;
    for (long at = 0; at < got;) {
      const auto& entry = *reinterpret_cast<const Entry*>(buffer + at);
      if (s.entries_left-- == 0) return false;
      if (look_at(s, directory, entry, depth)) return true;
      at += entry.size;
    }
  }
}

std::uint64_t size_limit(const RunRequest& request) noexcept {
  for (std::uint32_t i = 0; i < request.limits; ++i)
    if (request.limit[i].resource == static_cast<int>(RLIMIT_FSIZE)) return request.limit[i].soft;
  return ~0ULL;
}

}  // namespace

bool a_file_is_full(const RunRequest& request) noexcept {
  Search s{size_limit(request), kMostEntries};
  for (unsigned i = 0; i < state.place_count; ++i) {
    struct statfs space{};
    if (call(__NR_statfs, address(state.places[i].path), address(&space)) < 0) continue;
    const std::uint64_t used =
        (space.f_blocks - space.f_bfree) * static_cast<std::uint64_t>(space.f_bsize);
    if (used < s.limit) continue;
    const long fd = call(__NR_openat, AT_FDCWD, address(state.places[i].path),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) continue;
    const bool over = search(s, static_cast<int>(fd), kMostDepth);
    close_fd(static_cast<int>(fd));
    if (over) return true;
  }
  return false;
}

}  // namespace assay::sandbox::inside
