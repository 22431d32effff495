// Filters that were compiled when assay was built. Compiling one takes half a millisecond of a cold
// start, and it depends on nothing but its text: a file that is byte for byte the one of the build
// has the same program.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sandbox/warden/filter.h"

namespace assay::sandbox::warden {

struct ReadyFilter {
  std::string_view json{};
  std::span<const sock_filter> program{};
  std::span<const std::size_t> key_high{};
  std::span<const std::size_t> key_low{};
  bool listens = false;
  std::uint32_t watched = 0;
  bool knows_ipc = false;
};

// Written by the build (src/app/ready_filters_main.cc); none in a program that links no table.
std::span<const ReadyFilter> ready_filters();

std::optional<Filter> find_ready(std::string_view json);

}  // namespace assay::sandbox::warden
