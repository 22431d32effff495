#include "app/daemon/config/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace assay::daemon {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
// Longer names first: "ms" is not "m" followed by rubbish. Both spellings of the micro sign.
constexpr std::array kUnits{
    Unit{"ns", 1},
    Unit{"us", 1'000},
    Unit{"\u00b5s", 1'000},
    Unit{"\u03bcs", 1'000},
    Unit{"ms", 1'000'000},
    Unit{"s", 1'000'000'000},
    Unit{"m", 60'000'000'000},
    Unit{"h", 3'600'000'000'000},
};

__extension__ using Wide = unsigned __int128;
constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

const Unit* take_unit(std::string_view& text) {
  const auto found =
      std::ranges::find_if(kUnits, [&](const Unit& unit) { return text.starts_with(unit.name); });
  if (found == kUnits.end()) return nullptr;
  text.remove_prefix(found->name.size());
  return &*found;
}

// Whole and fractional digits of one part, times its unit; beyond kMost it stays there.
std::uint64_t scaled(std::string_view whole, std::string_view fraction, const Unit& unit) {
  Wide value = 0;
  for (const char c : whole)
    value = std::min<Wide>(value * 10 + static_cast<unsigned>(c - '0'), kMost);
  value *= unit.nanoseconds;
  std::uint64_t place = unit.nanoseconds;
  Wide rest = 0;
  for (const char c : fraction.substr(0, 18)) {
    rest += Wide{place} * static_cast<unsigned>(c - '0') / 10;
    place /= 10;
  }
  return static_cast<std::uint64_t>(std::min<Wide>(value + rest, kMost));
}

Result<unsigned> parse_core(std::string_view text, std::string_view all) {
  constexpr std::uint64_t kMostCores = 1024;
  const auto core = parse_count(text, 0, kMostCores - 1);
  if (!core) return invalid(fmt::format("'{}' is no list of cores such as 0-1,3", all));
  return static_cast<unsigned>(*core);
}

}  // namespace

Result<bool> parse_flag(std::string_view text) {
  for (const char* yes : {"1", "t", "T", "true", "TRUE", "True"})
    if (text == yes) return true;
  for (const char* no : {"0", "f", "F", "false", "FALSE", "False"})
    if (text == no) return false;
  return invalid(fmt::format("'{}' is neither true nor false", text));
}

Result<Bytes> parse_size(std::string_view text) {
  if (text.empty()) return invalid("'' is no size");
  return parse_bytes(text);
}

Result<Nanoseconds> parse_go_duration(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return invalid(fmt::format("'{}' {}", text, why));
  };
  std::string_view rest = text;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.starts_with('-')) return wrong("is negative");
  if (rest == "0") return Nanoseconds{0};
  if (rest.empty()) return wrong("is no duration: write 1h2m3.5s or 100ms");
  Wide total = 0;
  while (!rest.empty()) {
    const std::string_view whole = take_digits(rest);
    std::string_view fraction;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      fraction = take_digits(rest);
    }
    if (whole.empty() && fraction.empty()) return wrong("is no duration: write 1h2m3.5s or 100ms");
    const Unit* unit = take_unit(rest);
    if (unit == nullptr) return wrong("needs units: ns, us, ms, s, m or h");
    total += scaled(whole, fraction, *unit);
    if (total >= kMost) return wrong("is too long");
  }
  return Nanoseconds{static_cast<std::int64_t>(total)};
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Result<std::vector<unsigned>> parse_cores(std::string_view text) {
  std::vector<unsigned> cores;
  for (const std::string& part : parse_list(text)) {
    const std::size_t dash = part.find('-');
    const unsigned first = TRY(parse_core(std::string_view(part).substr(0, dash), text));
    unsigned last = first;
    if (dash != std::string::npos)
      last = TRY(parse_core(std::string_view(part).substr(dash + 1), text));
    if (last < first) return invalid(fmt::format("'{}' counts down", part));
    for (unsigned core = first; core <= last; ++core)
      cores.push_back(core);
  }
  if (cores.empty()) return invalid(fmt::format("'{}' names no core", text));
  std::ranges::sort(cores);
  const auto repeated = std::ranges::unique(cores);
  cores.erase(repeated.begin(), repeated.end());
  return cores;
}

std::string show_cores(const std::vector<unsigned>& cores) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < cores.size(); first = last + 1) {
    last = first;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1)
      ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cores[first]);
    if (last > first) text += fmt::format("-{}", cores[last]);
  }
  return text;
}

Status check_cores(const std::vector<unsigned>& wanted, const std::vector<unsigned>& usable) {
  std::vector<unsigned> missing;
  std::ranges::set_difference(wanted, usable, std::back_inserter(missing));
  if (missing.empty()) return {};
  return invalid(fmt::format("core{} {} cannot be used by this process; it may use {}",
                             missing.size() == 1 ? "" : "s", show_cores(missing),
                             show_cores(usable)));
}

Result<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return invalid(fmt::format("'{}' has no port: write host:port or :port", text));
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return invalid(fmt::format("'{}' has too many colons: write [address]:port for IPv6", text));
  }
  constexpr std::uint64_t kMostPort = 65535;
  if (!parse_count(port, 0, kMostPort))
    return invalid(fmt::format("'{}': the port must be 0 to 65535", text));
  return Address{std::string(host), std::string(port)};
}

}  // namespace assay::daemon
