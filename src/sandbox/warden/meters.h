// The cgroups of this engine: found by probing, made at the root of each hierarchy (or in a delegated subtree), removed
// with their owner. Safe because: every path starts with the instance's own directory, whose name no other engine has.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "os/cgroup.h"
#include "sandbox/inside/plan.h"

namespace assay::sandbox::warden {

// What one box has of them. Cgroups go with it.
struct BoxMeters {
  std::vector<os::Cgroup> cgroups{};          // boxes and leaves, in the order of making
  std::vector<os::OwnedFd> for_launcher{};    // as BoxPlan wants them
  std::array<std::vector<os::OwnedFd>, inside::kLeaves> leaf_files{};
  std::array<std::uint32_t, inside::kLeaves> leaf_mask{};
  os::OwnedFd start_in{};  // V2: where CLONE_INTO_CGROUP puts the launcher
};

class Meters {
 public:
  // Never fails: a host without usable cgroups gives Meters::None, and `missing` says why.
  static Meters probe(const std::string& instance);

  [[nodiscard]] inside::Meters kind() const { return kind_; }
  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(roots_.size()); }
  [[nodiscard]] std::uint32_t memory_group() const { return memory_group_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

  Result<BoxMeters> make_box(unsigned number, unsigned leaves, unsigned user, unsigned group) const;

  // Removes what an engine that is gone left under its name.
  static void remove_instance(const std::string& instance);

 private:
  Result<BoxMeters> make_box_v1(const std::string& name, unsigned leaves, unsigned user, unsigned group) const;
  Result<BoxMeters> make_box_v2(const std::string& name, unsigned user, unsigned group) const;
  Status take_v1(const os::CgroupLayout& layout, const std::string& instance);
  Status take_v2(const os::Hierarchy& unified, const std::string& instance);

  inside::Meters kind_ = inside::Meters::None;
  std::vector<os::Cgroup> roots_;  // this instance's directory in each hierarchy used
  std::uint32_t memory_group_ = 0;
  std::uint32_t cpu_group_ = 0;
  std::vector<std::string> missing_;
};

}  // namespace assay::sandbox::warden
