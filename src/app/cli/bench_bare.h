// The peer of every figure: the same program started by posix_spawn, its output read through a
// pipe, without a box.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace assay::cli {

struct BareRun {
  Nanoseconds wall{};
  Nanoseconds cpu{};  // rusage, user + system
  std::string output{};
  int status = 0;  // of wait4
};

class Bare {
 public:
  explicit Bare(std::vector<std::string> argv);  // argv[0] is a path
  // Stays where it is: pointers_ point into argv_.
  Bare(Bare&&) = delete;
  Bare& operator=(Bare&&) = delete;
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;
  ~Bare() = default;

  Result<BareRun> run();                           // anything but exit code 0 is an error
  Result<BareRun> run_until(Nanoseconds kill_at);  // killed by SIGKILL so long after its start

 private:
  Result<BareRun> start_and_wait(std::optional<Nanoseconds> kill_at);
  std::vector<std::string> argv_;
  std::vector<char*> pointers_;
};

// What programs on both sides get as environment, so that neither loads more than the other.
std::vector<std::string> bench_environment();

}  // namespace assay::cli
