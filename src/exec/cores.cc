#include "exec/cores.h"

#include <algorithm>

#include "base/units.h"

namespace assay::exec {
namespace {

constexpr std::uint64_t kMostCores = 1024;

Result<std::uint64_t> parse_core(std::string_view text, std::string_view list) {
  auto core = parse_count(text, 0, kMostCores - 1);
  if (!core) return invalid("'" + std::string(list) + "' is no list of cores such as '0-2,5'");
  return core;
}

}  // namespace

Result<std::vector<unsigned>> parse_cores(std::string_view list) {
  std::vector<unsigned> cores;
  std::string_view rest = list;
  while (true) {
    const std::string_view part = rest.substr(0, rest.find(','));
    const std::size_t dash = part.find('-');
    const std::uint64_t first = TRY(parse_core(part.substr(0, dash), list));
    const std::uint64_t last =
        dash == std::string_view::npos ? first : TRY(parse_core(part.substr(dash + 1), list));
    if (last < first) return invalid("'" + std::string(part) + "' is an empty range of cores");
    for (std::uint64_t core = first; core <= last; ++core)
      cores.push_back(static_cast<unsigned>(core));
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  std::ranges::sort(cores);
  const auto twice = std::ranges::unique(cores);
  cores.erase(twice.begin(), twice.end());
  return cores;
}

}  // namespace assay::exec
