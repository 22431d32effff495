// What GET /config tells: the real profile and the engine's meters, in go-judge's words.
#pragma once

#include "app/daemon/startup.h"
#include "sandbox/sandbox.h"
#include "wire/json.h"

namespace assay::daemon {

wire::Config describe_config(const Startup& startup, const sandbox::HostMeters& meters);

}  // namespace assay::daemon
