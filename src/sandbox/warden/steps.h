// Which step of making a box failed, in words a person can act on.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "sandbox/inside/plan.h"

namespace assay::sandbox::warden {

Error explain(const inside::ControlReply& failure, std::span<const std::byte> plan);

}  // namespace assay::sandbox::warden
