// Orders of Normal-OJ are numbered, and the number is their digest: an id that comes again is never
// the one before it, and what has a lower number is older.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::wire {

std::string noj_digest(std::uint64_t number);

// The number of an order of an earlier life; none: it came through another door. Whatever comes
// later gets a higher one than that, be the clock as it may: `last` is raised.
std::optional<std::uint64_t> remember_noj_digest(std::string_view digest, std::uint64_t& last);

}  // namespace assay::wire
