// From a profile to flat memory: a pure function, so the security policy is tested without root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/inside/plan.h"
#include "sandbox/profile.h"
#include "sandbox/warden/filter.h"

namespace assay::sandbox::warden {

struct PlanInputs {
  const Profile& profile;
  bool filtered = false;                // lay_out_filter() follows
  std::span<const HostMount> mounts{};  // asked for by a spec; already allowed, see allow_mounts()
  std::string stage{};                  // host directory to build the new root on
  std::uint64_t key = 0;
  inside::Meters meters = inside::Meters::None;
  std::uint32_t groups = 0;
  std::uint32_t leaves = inside::kLeaves;
  std::uint32_t memory_group = 0;
  bool single_id = false;
  bool setgroups_allowed = true;
};

// Refuses a spec's mounts that the profile's host prefixes do not cover, with the reason. Purely
// lexical: links in the source are refused when it is opened.
Status allow_mounts(const Profile& profile, std::span<const HostMount> mounts);

Result<std::vector<std::byte>> lay_out(const PlanInputs& inputs);
std::vector<std::byte> lay_out_filter(const Filter& filter, std::uint64_t key);

}  // namespace assay::sandbox::warden
