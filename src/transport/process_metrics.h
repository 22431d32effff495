// What Prometheus calls process_*: read from /proc when somebody asks.
#pragma once

namespace assay::transport {

struct ProcessFacts {
  double cpu_seconds = 0;
  double resident_bytes = 0;
  double virtual_bytes = 0;
  double open_fds = 0;
  double max_fds = 0;
  double threads = 0;
  double start_time_seconds = 0;
};
ProcessFacts read_process_facts();

}  // namespace assay::transport
