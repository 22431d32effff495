// The cgroups of this engine: found by probing, made at the root of each hierarchy (or in a
// delegated subtree), removed with their owner. Safe because: every path starts with the instance's
// own directory, whose name no other engine has.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "os/cgroup.h"
#include "sandbox/inside/plan.h"
#include "sandbox/profile.h"

namespace assay::sandbox::warden {

inline constexpr std::string_view kEnableV2 = "+cpu +memory +pids";

// What one box has of them. Cgroups go with it.
struct BoxMeters {
  std::vector<os::Cgroup> cgroups{};        // boxes and leaves, in the order of making
  std::vector<os::OwnedFd> for_launcher{};  // as BoxPlan wants them
  std::array<std::vector<os::OwnedFd>, inside::kLeaves> leaf_files{};
  std::array<std::uint32_t, inside::kLeaves> leaf_mask{};
  os::OwnedFd start_in{};  // V2: where CLONE_INTO_CGROUP puts the launcher

  std::vector<std::string> freezable{};  // V1: the leaves in the freezer
  void thaw() const;                     // V1: frozen processes do not die
  void remove_empty();
};

struct MeterRequest {
  unsigned number = 0;  // of the box
  unsigned leaves = inside::kLeaves;
  unsigned user = 0;  // the box's root, which makes leaves of its own below
  unsigned group = 0;
  Caps caps{};
};

class Meters {
 public:
  // Never fails: a host without usable cgroups gives Meters::None, and `missing` says why.
  // `cpu_quota`: runs are limited by the hierarchy of cpu, where v1 has it apart from cpuacct. Not
  // always, because every run would have to enter it.
  static Meters probe(const std::string& instance, bool cpu_quota);

  [[nodiscard]] inside::Meters kind() const { return kind_; }
  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(roots_.size()); }
  [[nodiscard]] std::uint32_t memory_group() const { return memory_group_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

  // Removes this instance's directories and, if it is the last engine there, lets everybody back to
  // where they were.
  void release();

  Result<BoxMeters> make_box(const MeterRequest& request) const;

  // Removes what an engine that is gone left under its name.
  static void remove_instance(const std::string& instance);

 private:
  Result<BoxMeters> make_box_v1(const MeterRequest& request) const;
  Result<BoxMeters> make_box_v2(const MeterRequest& request) const;
  static std::string directory_v1(const os::Cgroup& root, const MeterRequest& request);
  Status cap_and_delegate_v1(const MeterRequest& request, BoxMeters& box) const;
  Status share_v1(const MeterRequest& request, BoxMeters& box) const;
  Status take_v1(const os::CgroupLayout& layout, const std::string& instance, bool cpu_quota);
  [[nodiscard]] std::size_t index_of(std::string_view controller) const;  // V1
  Status open_leaf_files_v1(BoxMeters& box, unsigned leaf,
                            std::span<const std::string> leaf_paths) const;
  Status take_v2(const os::Hierarchy& unified, const std::string& instance);

  inside::Meters kind_ = inside::Meters::None;
  std::vector<os::Cgroup> roots_;              // this instance's directory in each hierarchy used
  std::vector<std::string_view> controllers_;  // V1: of these hierarchies
  // V1 with cpu apart from cpuacct, and no quota: a box as a whole has its part of the machine
  // there. Its launcher enters once, and the runs are born in it. Else each session of a program
  // would have a part of its own.
  os::Cgroup sharing_;
  std::string base_;  // V2: the directory that ours is in
  std::uint32_t memory_group_ = 0;
  std::uint32_t cpu_group_ = 0;
  std::vector<std::string> missing_;
};

}  // namespace assay::sandbox::warden
