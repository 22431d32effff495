// The comparison part of `assay bench judge`: a large output against its answer.
#pragma once

#include "app/cli/bench_report.h"
#include "base/result.h"

namespace assay::cli {

// Adds its promises and figures.
Status measure_comparison(Report& report);

}  // namespace assay::cli
