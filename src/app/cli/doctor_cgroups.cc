#include "app/cli/doctor_cgroups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/cli/doctor_host.h"
#include "os/file.h"

namespace assay::cli::checkup {
namespace {

constexpr std::string_view kOthers = "/assay-others";  // where an engine before us moved the others

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

bool in_namespace_root(const os::Hierarchy& unified) {
  return os::exists(unified.mount + "/cgroup.type");
}

Finding look_at_layout(const Host& host) {
  const os::Hierarchy* unified = host.cgroups.v2();
  if (uses_v2(host)) return {State::Ok, "v2 at " + unified->mount};
  if (uses_v1(host) && unified != nullptr)
    return {State::Ok, "hybrid: controllers are on v1, v2 at " + unified->mount + " has none"};
  if (uses_v1(host)) return {State::Ok, "v1"};
  if (unified != nullptr)
    return {State::Missing, "v2 at " + unified->mount + " without the memory controller",
            boot_with("cgroup_enable=memory")};
  return {State::Missing, "no cgroup hierarchy is mounted",
          "mount -t cgroup2 cgroup2 /sys/fs/cgroup"};
}

Finding look_at_controllers_v2(const Host& host) {
  std::vector<std::string> here;
  std::istringstream listed(first_line(base_v2(host) + "/cgroup.controllers").value_or(""));
  for (std::string name; listed >> name;)
    here.push_back(name);
  std::vector<std::string> absent;
  for (const char* name : kNeedsV2)
    if (!has(here, name)) absent.emplace_back(name);
  const std::string found = fmt::format("in {}: {}", base_v2(host), fmt::join(here, " "));
  if (absent.empty()) return {State::Ok, found};
  if (!has(host.cgroups.v2()->controllers, absent.front()))
    return {State::Missing, fmt::format("{}; no {}", found, fmt::join(absent, " ")),
            boot_with("cgroup_no_v1=all")};
  const std::string fix =
      host.systemd
          ? "mkdir -p /etc/systemd/system/user@.service.d && printf '[Service]\\nDelegate=cpu "
            "cpuset "
            "io memory pids\\n' > /etc/systemd/system/user@.service.d/delegate.conf && systemctl "
            "daemon-reload, then log in again"
          : fmt::format("echo '+cpu +memory +pids' > {}/cgroup.subtree_control",
                        std::filesystem::path(base_v2(host)).parent_path().string());
  return {State::Missing, fmt::format("{}; no {}", found, fmt::join(absent, " ")), fix};
}

Finding look_at_controllers_v1(const Host& host) {
  for (const char* name : kNeedsV1) {
    const os::Hierarchy* own = host.cgroups.v1(name);
    if (own == nullptr)
      return {State::Missing, fmt::format("no v1 hierarchy for {}", name),
              fmt::format("mkdir -p /sys/fs/cgroup/{0} && mount -t cgroup -o {0} {0} "
                          "/sys/fs/cgroup/{0}",
                          name)};
    for (const char* other : kNeedsV1)
      if (std::string_view(other) != name && host.cgroups.v1(other) == own)
        return {State::Missing, fmt::format("{} and {} share one v1 hierarchy", name, other),
                boot_with("systemd.unified_cgroup_hierarchy=1")};
  }
  return {State::Ok, fmt::format("{}, a v1 hierarchy each", fmt::join(kNeedsV1, " "))};
}

Finding look_at_controllers(const Host& host) {
  if (uses_v2(host)) return look_at_controllers_v2(host);
  if (uses_v1(host)) return look_at_controllers_v1(host);
  return {State::Missing, "none", look_at_layout(host).fix};
}

std::vector<std::string> mounts_in_use(const Host& host) {
  if (uses_v2(host)) return {host.cgroups.v2()->mount};
  std::vector<std::string> mounts;
  for (const char* name : kNeedsV1)
    if (const os::Hierarchy* hierarchy = host.cgroups.v1(name)) mounts.push_back(hierarchy->mount);
  return mounts;
}

Finding look_at_mounts(const Host& host) {
  const std::vector<std::string> used = mounts_in_use(host);
  for (const os::Hierarchy& hierarchy : host.cgroups.hierarchies)
    if (!hierarchy.writable && has(used, hierarchy.mount))
      return {State::Missing, hierarchy.mount + " is mounted read-only",
              "mount -o remount,rw " + hierarchy.mount +
                  "; in a container: docker run --privileged --cgroupns=private …"};
  if (used.empty()) return {State::Missing, "nothing to write to", look_at_layout(host).fix};
  return {State::Ok, fmt::format("writable: {}", fmt::join(used, " "))};
}

// Whether this very user may make cgroups where the engine would.
Finding look_at_delegation(const Host& host) {
  std::vector<std::string> needed = mounts_in_use(host);
  if (uses_v2(host)) needed = {base_v2(host), base_v2(host) + "/cgroup.subtree_control"};
  for (const std::string& path : needed)
    if (::access(path.c_str(), W_OK) < 0)
      return {State::Missing, path + " is not ours: " + words_of(errno), cgroup_fix(host)};
  if (needed.empty()) return {State::Missing, "no cgroup is ours", cgroup_fix(host)};
  return {State::Ok, host.root ? "root may make cgroups" : needed.front() + " is delegated to us"};
}

Finding look_at_systemd(const Host& host) {
  if (!host.systemd) return {State::Note, "not running; cgroups are ours to arrange"};
  if (host.root)
    return {State::Ok, "running; for a cgroup of one's own: systemd-run --scope -p Delegate=yes …"};
  if (os::exists(fmt::format("/run/user/{}/systemd", ::geteuid())))
    return {State::Ok,
            "running; for a cgroup of one's own: systemd-run --user --scope -p Delegate=yes …"};
  return {State::Degraded, "running, but not for this user",
          fmt::format("loginctl enable-linger {}, then log in again", host.user)};
}

constexpr std::array kChecks{
    Check{"cgroups", "layout", look_at_layout},
    Check{"cgroups", "controllers", look_at_controllers},
    Check{"cgroups", "mounts", look_at_mounts},
    Check{"cgroups", "delegation", look_at_delegation},
    Check{"cgroups", "systemd", look_at_systemd},
};

}  // namespace

bool uses_v2(const Host& host) {
  const os::Hierarchy* unified = host.cgroups.v2();
  return unified != nullptr && has(unified->controllers, "memory");
}

bool uses_v1(const Host& host) {
  return !uses_v2(host) && std::ranges::any_of(kNeedsV1, [&](const char* name) {
    return host.cgroups.v1(name) != nullptr;
  });
}

std::string base_v2(const Host& host) {
  const os::Hierarchy* unified = host.cgroups.v2();
  if (unified == nullptr) return "";
  if (host.root && !in_namespace_root(*unified)) return unified->mount;
  std::string own = os::own_cgroup_v2();
  if (own.ends_with(kOthers)) own.resize(own.size() - kOthers.size());
  return unified->mount + (own == "/" ? "" : own);
}

std::string cgroup_fix(const Host& host) {
  if (!uses_v2(host))
    return host.root ? "in a container: docker run --privileged …"
                     : "run as root (sudo assay …); or, for plain users, " +
                           boot_with("systemd.unified_cgroup_hierarchy=1");
  if (host.systemd)
    return fmt::format("systemd-run {}--scope -p Delegate=yes assay …", host.root ? "" : "--user ");
  if (host.root) return "in a container: docker run --privileged --cgroupns=private …";
  return fmt::format(
      "sudo sh -c \"D={0}/{1}; echo '+cpu +memory +pids' > {0}/cgroup.subtree_control; mkdir -p "
      "\\$D "
      "&& chown {1} \\$D \\$D/cgroup.procs \\$D/cgroup.subtree_control && echo $$ > "
      "\\$D/cgroup.procs\"",
      host.cgroups.v2()->mount, host.user);
}

std::span<const Check> cgroup_checks() {
  return kChecks;
}

}  // namespace assay::cli::checkup
