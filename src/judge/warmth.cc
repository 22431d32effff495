#include "judge/warmth.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "store/packing.h"

namespace assay::judge {

Result<os::OwnedFd> lend_warmth(const Warmth& warmth, int warm, sandbox::Spec& spec) {
  // In a box without ids of its own the file belongs to the program as much as to us; seals hold
  // all the same, but the mode does not.
  constexpr unsigned kReadOnly = 0444;
  if (::fchmod(warm, kReadOnly) < 0) return system_error("open up a warm file");
  // A description of its own: an offset that others share could be moved under them.
  os::OwnedFd lent = TRY(os::open(fmt::format("/proc/self/fd/{}", warm), O_RDONLY));
  constexpr std::size_t kStandardStreams = 3;
  const std::size_t descriptor = kStandardStreams + spec.more_streams.size();
  spec.more_streams.emplace_back(sandbox::Descriptor{lent.get()});
  for (std::size_t at = warmth.place.find('/'); at != std::string::npos;
       at = warmth.place.find('/', at + 1))
    spec.directories_in.push_back({.name = warmth.place.substr(0, at)});
  spec.links_in.push_back(
      {.name = warmth.place, .target = fmt::format("/proc/self/fd/{}", descriptor)});
  return lent;
}

// The words that only the warm-up brings into a log: its source in the "included from" lines, and
// the place of what it made.
Result<bool> tells_of_warmth(const Warmth& warmth, int log) {
  std::string window;
  bool found = false;
  const std::size_t longest = std::max(warmth.file.size(), warmth.place.size());
  TRY_STATUS(store::read_through(log, [&](std::string_view bytes) -> Status {
    window += bytes;
    found = found || window.contains(warmth.file) || window.contains(warmth.place);
    window.erase(0, window.size() - std::min(window.size(), longest));
    return {};
  }));
  return found;
}

}  // namespace assay::judge
