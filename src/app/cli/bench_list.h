// The benches of `assay bench`, one file each. An Error is our failure; a promise that does not
// hold is in the report.
#pragma once

#include "app/cli/bench_report.h"
#include "app/cli/commands.h"
#include "base/result.h"

namespace assay::cli {

Result<Report> bench_overhead(const BenchOptions& options);
Result<Report> bench_throughput(const BenchOptions& options);
Result<Report> bench_fidelity(const BenchOptions& options);
Result<Report> bench_kill(const BenchOptions& options);
Result<Report> bench_soak(const BenchOptions& options);
Result<Report> bench_siege(const BenchOptions& options);  // soak, through the API
Result<Report> bench_memory(const BenchOptions& options);
Result<Report> bench_http(const BenchOptions& options);
Result<Report> bench_relay(const BenchOptions& options);
Result<Report> bench_neighbour(const BenchOptions& options);
Result<Report> bench_judge(const BenchOptions& options);

}  // namespace assay::cli
