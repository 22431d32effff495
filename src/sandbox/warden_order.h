// An order to the warden as one packet, both ways. The warden believes nothing in it: it may come
// from a daemon that somebody took over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/protocol.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

struct WardenCall {
  WardenRequest request{};  // but its profile and the number of its mounts, which are below
  std::string profile{};
  std::vector<HostMount> mounts{};
};

Result<std::vector<std::byte>> write_call(const WardenCall& call);

// An InvalidRequest: it is not whole, or there is more than it says.
Result<WardenCall> read_call(std::span<const std::byte> packet);

}  // namespace assay::sandbox
