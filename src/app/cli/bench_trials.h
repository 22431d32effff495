// Requests to a daemon with known right answers: honest programs and hostile ones, by both of its
// doors.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench_http_line.h"
#include "base/units.h"

namespace assay::cli {

struct Trial {
  std::string name{};
  bool hostile = false;
  std::string request{};             // whole, headers and all
  std::vector<std::string> right{};  // what may stand in the answer; one of them must
  bool timed = false;                // its CPU time is compared with that of others
};

// Uploads what the trials need, and has their sources compiled once.
Result<std::vector<Trial>> make_trials(const Address& server, bool hostile);

// What came of one: right or not, and the CPU time that was reported.
struct Answered {
  bool right = false;
  std::string verdict{};
  Nanoseconds cpu{};
  Nanoseconds latency{};
};
Result<Answered> try_once(HttpLine& line, const Trial& trial);

}  // namespace assay::cli
