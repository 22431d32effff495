// How settings are written, as Go's flag package and go-judge read them. Each function refuses with
// the reason alone; whoever calls it knows the name of the setting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace assay::daemon {

Result<bool> parse_flag(std::string_view text);   // 1 t T true TRUE True, and the same for false
Result<Bytes> parse_size(std::string_view text);  // "64m", "16k", "100b", "4096"
Result<Nanoseconds> parse_go_duration(std::string_view text);  // "1h2m3.5s", "100ms", "0"
std::vector<std::string> parse_list(std::string_view text);    // by commas, empty parts dropped

// "0-1,3" as the cores 0, 1 and 3.
Result<std::vector<unsigned>> parse_cores(std::string_view text);
std::string show_cores(const std::vector<unsigned>& cores);  // sorted; the other way round

// Refuses a list that names a core which is not usable here. Both are sorted.
Status check_cores(const std::vector<unsigned>& wanted, const std::vector<unsigned>& usable);

struct Address {
  std::string host{};  // empty: every interface
  std::string port{};
  bool operator==(const Address&) const = default;
};
Result<Address> parse_address(std::string_view text);  // "localhost:5050", ":5050", "[::1]:80"

}  // namespace assay::daemon
