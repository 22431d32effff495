#include "wire/noj_number.h"

#include <algorithm>

#include "base/units.h"

namespace assay::wire {
namespace {

constexpr std::string_view kPrefix = "noj ";

}  // namespace

std::string noj_digest(std::uint64_t number) {
  return std::string(kPrefix) + std::to_string(number);
}

std::optional<std::uint64_t> remember_noj_digest(std::string_view digest, std::uint64_t& last) {
  if (!digest.starts_with(kPrefix)) return std::nullopt;
  const auto number = parse_count(digest.substr(kPrefix.size()), 0, ~std::uint64_t{0});
  if (!number) return std::nullopt;
  last = std::max(last, *number);
  return *number;
}

}  // namespace assay::wire
