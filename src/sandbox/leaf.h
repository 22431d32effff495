// The meters and limits of one run's cgroup, as descriptors. Reading and writing them needs no
// privilege.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "os/fd.h"
#include "sandbox/inside/plan.h"
#include "sandbox/spec.h"

namespace assay::sandbox {

struct CpuTimes {
  Nanoseconds total{};
  Nanoseconds user{};
  Nanoseconds system{};
};

class Leaf {
 public:
  Leaf() = default;
  explicit Leaf(inside::Meters kind) : kind_(kind) {}

  void replace(inside::LeafFile which, os::OwnedFd fd);
  [[nodiscard]] bool has(inside::LeafFile which) const { return file(which).is_open(); }

  // Before a run: limits in force, peaks back to zero, counters that cannot be reset noted.
  Status begin(const Limits& limits);

  [[nodiscard]] CpuTimes cpu() const;  // since the cgroup was made, or last reset
  [[nodiscard]] Nanoseconds cpu_total() const;
  struct Peaks {
    Bytes run{};
    // Since the last begin_section(), or the start; nothing where the kernel cannot begin one.
    std::optional<Bytes> section{};
  };
  [[nodiscard]] Peaks memory_peaks() const;
  [[nodiscard]] Bytes memory_now() const;  // without the cache of files
  void begin_section();
  [[nodiscard]] std::uint64_t oom_kills();  // of this run
  [[nodiscard]] std::uint64_t processes_peak() const;
  [[nodiscard]] std::uint64_t processes_refused();
  [[nodiscard]] std::string memory_meter() const;
  // Whether every meter that was asked for since begin() could be read. One that could not reads 0,
  // and nobody must be judged by that.
  [[nodiscard]] Status was_read() const;
  Status freeze(bool frozen);

 private:
  [[nodiscard]] const os::OwnedFd& file(inside::LeafFile which) const {
    return files_[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] std::uint64_t number(inside::LeafFile which, const char* key = nullptr) const;
  [[nodiscard]] Bytes measured_peak() const;
  [[nodiscard]] Bytes file_cache() const;
  Status set_memory(std::optional<Bytes> memory);
  Status set_quota(std::optional<std::uint64_t> permille);
  Status set_processes(std::optional<std::uint64_t> processes);

  inside::Meters kind_ = inside::Meters::None;
  std::array<os::OwnedFd, inside::kLeafFiles> files_{};
  std::string memory_written_{};        // what the limit files hold, to write only changes
  std::uint64_t memory_limit_ = ~0ULL;  // as made: none
  std::string processes_written_{};
  std::string quota_written_{};
  Bytes residue_{};      // V1: what the last run left in the meter and the next cannot use
  Bytes peak_before_{};  // of the sections that are over
  bool has_sections_ = true;
  mutable int unread_ = 0;                       // why one could not be read
  std::uint64_t oom_before_ = 0, oom_read_ = 0;  // of counters that cannot be reset
  std::uint64_t refused_before_ = 0, refused_read_ = 0;
};

}  // namespace assay::sandbox
