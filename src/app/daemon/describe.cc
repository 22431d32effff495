#include "app/daemon/describe.h"

#include <fmt/format.h>
#include <sys/mount.h>

namespace assay::daemon {
namespace {

// go-judge writes targets relative to the root it builds.
std::string in_root(const std::string& path) {
  return path.substr(path.starts_with('/') ? 1 : 0);
}

std::vector<wire::ConfigMount> mounts_of(const sandbox::Profile& profile) {
  std::vector<wire::ConfigMount> mounts;
  for (const sandbox::ProfileMount& mount : profile.mounts) {
    const std::uint64_t flags = MS_BIND | MS_NOSUID | MS_PRIVATE | MS_REC |
                                (mount.writable ? 0U : std::uint64_t{MS_RDONLY});
    mounts.push_back({.source = mount.source, .target = in_root(mount.target), .flags = flags});
  }
  for (const sandbox::WritablePlace& place : profile.places)
    mounts.push_back({.source = "tmpfs",
                      .target = in_root(place.path),
                      .type = "tmpfs",
                      .data = fmt::format("size={},nr_inodes={}", place.size.count, place.inodes),
                      .flags = MS_NOSUID | MS_NOATIME | MS_NODEV});
  if (profile.proc != sandbox::ProcView::None)
    mounts.push_back({.source = "proc",
                      .target = "proc",
                      .type = "proc",
                      .flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY});
  return mounts;
}

std::vector<std::string> controllers(unsigned cgroups) {
  if (cgroups == 0) return {};
  return {cgroups == 1 ? "cpuacct" : "cpu", "memory", "pids"};
}

}  // namespace

wire::Config describe_config(const Startup& startup, const sandbox::HostMeters& meters) {
  const sandbox::Profile& profile = startup.profile;
  wire::Config config{.file_store_path = startup.store,
                      .cgroup_type = static_cast<int>(meters.cgroups),
                      .cgroup_controllers = controllers(meters.cgroups),
                      .mounts = mounts_of(profile),
                      .masked_paths = profile.masked,
                      .host_name = profile.hostname,
                      .domain_name = profile.domainname,
                      .work_dir = profile.work_dir,
                      .uid = profile.user,
                      .gid = profile.group};
  for (const sandbox::ProfileLink& link : profile.links)
    config.links.push_back({link.path, link.target});
  return config;
}

}  // namespace assay::daemon
