// What daemon and warden say to each other. The warden trusts nothing in a request; the daemon
// trusts the warden.
#pragma once

#include <array>
#include <cstdint>

#include "sandbox/inside/plan.h"

namespace assay::sandbox {

enum class WardenOrder : std::uint32_t { MakeBox, RetireBox, Describe };

constexpr std::size_t kMaxProfileName = 64;
constexpr std::size_t kMaxWardenRequest = std::size_t{60} << 10;

// MakeBox is followed by `mounts` times: a byte 'r' or 'w', the source and the target, each ended
// by NUL.
struct WardenRequest {
  WardenOrder order{};
  std::uint32_t box = 0;       // RetireBox
  std::uint32_t mounts = 0;    // MakeBox
  std::int32_t core = -1;      // MakeBox: where its launcher lives, -1: anywhere
  std::uint32_t one_shot = 0;  // MakeBox: for a single run, so one leaf is enough
  std::array<char, kMaxProfileName> profile{};
};

enum class WardenAnswer : std::uint32_t { BoxMade, BoxRetired, Described, Failed };

// BoxMade comes with: the control socket, the run socket, the slate, and on V1 the files of both
// leaves, as `leaf_files` says which exist. `text` is why it failed, or what a degraded box lacks,
// one per line.
struct WardenReply {
  WardenAnswer answer{};
  std::uint32_t box = 0;
  std::uint32_t fault = 0;  // Fault
  std::int32_t error = 0;
  inside::Meters meters{};
  std::uint32_t degraded = 0;
  std::uint32_t isolated = 1;
  std::array<std::uint32_t, inside::kLeaves> leaf_files{};
  std::uint32_t launcher_pid = 0;
  std::array<char, 64> instance{};
  std::array<char, 1024> text{};
};

}  // namespace assay::sandbox
