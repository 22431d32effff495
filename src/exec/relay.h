// A pipe that we stand in: what one program writes, another reads, and the first bytes are kept.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include "base/units.h"
#include "os/fd.h"

namespace assay::exec {

// Copies until the source ends, on a thread of its own. Once the reader has gone, the rest is read
// and thrown away: the writer never gets SIGPIPE and never waits.
//
// The thread blocks in read and write and lives on the writer's core: when the writer waits for its
// answer the core is free at once, so that a hand-over costs a switch of threads and only the
// reader's core has to be woken, as by a direct pipe.
class Relay {
 public:
  struct Plan {
    os::OwnedFd source{};
    os::OwnedFd sink{};  // closed: nobody reads, all is kept or thrown away
    Bytes keep{};
    std::vector<unsigned> cores{};
  };
  explicit Relay(Plan plan);
  ~Relay();  // waits for the end
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::string finish();  // waits for the end; what was kept

 private:
  void work();

  Plan plan_;
  std::string kept_;
  std::thread thread_;
};

}  // namespace assay::exec
