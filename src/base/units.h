// Quantities that must not be confused, and how people write them: "256MiB", "1.5s".
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

struct Bytes {
  std::uint64_t count = 0;
  auto operator<=>(const Bytes&) const = default;
};

constexpr Bytes operator""_B(unsigned long long n) {
  return {n};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return {n << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return {n << 20};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
  return {n << 30};
}

using Nanoseconds = std::chrono::nanoseconds;

// "64MiB", "64M", "64MB", "65536": every prefix is a power of 1024, in any case. A plain number is
// bytes.
Result<Bytes> parse_bytes(std::string_view text);

// "1.5s", "350ms", "20us", "7ns", "2m", "1h". The unit is required: 5 of what?
Result<Nanoseconds> parse_duration(std::string_view text);

// A plain decimal count from `least` to `most`.
Result<std::uint64_t> parse_count(std::string_view text, std::uint64_t least, std::uint64_t most);

std::string format_bytes(Bytes bytes);           // "12.3 MiB"
std::string format_duration(Nanoseconds value);  // "1.234 s", "56.7 ms"

}  // namespace assay
