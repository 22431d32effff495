// A daemon of the bench's own, on a free port of the loopback.
#pragma once

#include <string>
#include <vector>

#include "app/cli/bench_http_line.h"
#include "base/units.h"
#include "os/process.h"

namespace assay::cli {

class BenchServer {
 public:
  static Result<BenchServer> start();

  [[nodiscard]] const Address& address() const { return address_; }
  // Daemon and warden with all their own processes, without the boxes.
  [[nodiscard]] Result<std::int64_t> memory_kib() const;
  [[nodiscard]] Result<std::int64_t> descriptors() const;
  // Its own processes: those of the boxes are known by what they run, a sealed launcher.
  [[nodiscard]] std::vector<pid_t> own_processes() const;
  struct Engine {
    pid_t warden = 0;
    std::string instance{};
  };
  [[nodiscard]] Result<Engine> engine() const;

  // Ends it. What it and everything below it used of the cpu.
  Result<Nanoseconds> stop();

 private:
  BenchServer(os::Process process, Address address)
      : process_(std::move(process)), address_(std::move(address)) {}
  os::Process process_;
  Address address_;
};

}  // namespace assay::cli
