// What go-judge's dashboards show of the machine: boxes, and what they and the daemon use.
#pragma once

#include "sandbox/sandbox.h"
#include "transport/metrics.h"

namespace assay::daemon {

// The engine is borrowed for as long as the metrics are asked.
void watch_engine(transport::Metrics& metrics, const sandbox::Sandbox& engine);

}  // namespace assay::daemon
