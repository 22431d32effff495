// Whose user ids the processes of a box have on the host.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "app/cli/doctor.h"
#include "base/units.h"
#include "os/file.h"
#include "sandbox/warden/instance.h"

namespace assay::cli::checkup {
namespace {

constexpr std::array kMapPrograms{"/usr/bin/newuidmap", "/usr/bin/newgidmap"};
constexpr std::array kRangeFiles{"/etc/subuid", "/etc/subgid"};
constexpr std::uint64_t kFirstRange = 100'000;
constexpr std::uint64_t kRange = 65'536;

struct Range {
  std::string owner{};
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

std::vector<Range> read_ranges(const std::string& file) {
  std::vector<Range> ranges;
  std::istringstream lines(os::read_whole(file).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string owner, first, count;
    if (!std::getline(fields, owner, ':') || !std::getline(fields, first, ':') ||
        !std::getline(fields, count))
      continue;
    const auto start = parse_count(first, 1, 0xffff'0000);
    const auto size = parse_count(count, 1, 0xffff'ffff);
    if (start && size) ranges.push_back({owner, *start, *size});
  }
  return ranges;
}

const Range* range_of(const std::vector<Range>& ranges, const Host& host) {
  const std::string number = std::to_string(::geteuid());
  for (const Range& range : ranges)
    if ((range.owner == host.user || range.owner == number) &&
        range.count >= sandbox::warden::kIdsPerInstance)
      return &range;
  return nullptr;
}

// The first block of ids that nobody in either file has.
std::uint64_t free_range() {
  std::uint64_t first = kFirstRange;
  for (const char* file : kRangeFiles)
    for (const Range& range : read_ranges(file))
      first = std::max(first, range.first + range.count);
  return first;
}

std::string give_ranges(const Host& host) {
  const std::uint64_t first = free_range();
  return fmt::format("usermod --add-subuids {0}-{1} --add-subgids {0}-{1} {2}", first,
                     first + kRange - 1, host.user);
}

Finding look_at_user(const Host& host) {
  if (host.root) return {State::Ok, "root: every box has user ids of its own"};
  return {State::Ok, fmt::format("plain user {} ({})", host.user, ::geteuid())};
}

Finding look_at_map_programs(const Host& host) {
  for (const char* program : kMapPrograms) {
    if (::access(program, X_OK) == 0) continue;
    if (host.root) return {State::Optional, std::string("no ") + program + "; root needs none"};
    return {State::Missing, std::string("no ") + program, "apt install uidmap"};
  }
  return {State::Ok, "both in /usr/bin"};
}

Finding look_at_ranges(const Host& host) {
  if (host.root) return {State::Ok, "root needs no entry in /etc/subuid"};
  std::string found;
  for (const char* file : kRangeFiles) {
    const std::vector<Range> ranges = read_ranges(file);
    const Range* range = range_of(ranges, host);
    if (range == nullptr)
      return {State::Missing, fmt::format("{} gives {} no range", file, host.user),
              give_ranges(host)};
    found += fmt::format("{}{} {}+{}", found.empty() ? "" : ", ", file, range->first, range->count);
  }
  return {State::Ok, found};
}

constexpr std::array kChecks{
    Check{"identities", "user", look_at_user},
    Check{"identities", "newuidmap, newgidmap", look_at_map_programs},
    Check{"identities", "subordinate ids", look_at_ranges},
};

}  // namespace

std::string identity_fix(const Host& host) {
  std::string fix = look_at_map_programs(host).fix;
  const std::string ranges = look_at_ranges(host).fix;
  if (!fix.empty() && !ranges.empty()) fix += " && ";
  return fix + ranges;
}

std::span<const Check> identity_checks() {
  return kChecks;
}

}  // namespace assay::cli::checkup
