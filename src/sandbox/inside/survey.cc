// Did the program fill a file up to the size limit? Programs that ignore SIGXFSZ (CPython does)
// only see a failed write and exit as if by an error of their own, or as if all were well; the size
// of the file tells.
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
  std::uint64_t
      since_ns;  // files that have not changed since are not the program's; CLOCK_REALTIME
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
           static_cast<std::uint64_t>(found.st_size) >= s.limit &&
           static_cast<std::uint64_t>(found.st_ctim.tv_sec) * 1'000'000'000 +
                   static_cast<std::uint64_t>(found.st_ctim.tv_nsec) >=
               s.since_ns;
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
      if (s.entries_left == 0) return false;
      --s.entries_left;
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

bool holds_as_much(const Place& place, std::uint64_t limit) noexcept {
  struct statfs space{};
  if (limit == ~0ULL || call(__NR_statfs, address(place.path), address(&space)) < 0) return false;
  return (space.f_blocks - space.f_bfree) * static_cast<std::uint64_t>(space.f_bsize) >= limit;
}

// Later than what was put in: the clock of files ticks every 4 or 10 ms.
std::uint64_t begin_of_run() noexcept {
  constexpr std::uint64_t kTick = 10'000'000;
  const std::uint64_t ago = now_ns(1 /* CLOCK_MONOTONIC */) - state.now.ended.started_ns;
  return now_ns(0 /* CLOCK_REALTIME */) - ago + kTick;
}

}  // namespace

void note_full_places(const RunRequest& request) noexcept {
  const std::uint64_t limit = size_limit(request);
  state.now.full_places = 0;
  for (unsigned i = 0; i < state.place_count; ++i)
    if (holds_as_much(state.places[i], limit)) state.now.full_places |= 1U << i;
}

bool a_file_is_full(const RunRequest& request) noexcept {
  Search s{size_limit(request), 0, kMostEntries};
  for (unsigned i = 0; i < state.place_count; ++i) {
    if (!holds_as_much(state.places[i], s.limit)) continue;
    // What was put in may be as large itself.
    s.since_ns = (state.now.full_places & 1U << i) != 0 ? begin_of_run() : 0;
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
