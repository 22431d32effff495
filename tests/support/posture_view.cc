// What a box sees: its root, its mounts, its descriptors, its environment.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "os/fd.h"
#include "tests/support/posture_rules.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;
using Options = std::set<std::string>;

bool is_within(const std::string& path, const std::string& directory) {
  return path == directory || directory == "/" || path.starts_with(directory + "/");
}

// What of a mount matters; the rest are times of access.
Options bounds_of(const proc::Mount& mount) {
  Options bounds;
  for (const char* name : {"ro", "rw", "nosuid", "nodev", "noexec"})
    if (mount.options.contains(name)) bounds.insert(name);
  return bounds;
}

std::string words(const Options& options) {
  std::string list;
  for (const std::string& option : options)
    list += (list.empty() ? "" : ",") + option;
  return list;
}

// The bounds that a mount is to have at least, or nothing: nobody asked for it.
struct Wanted {
  Options bounds{};
  std::string host_path{};  // empty: none of the host
  std::string type{};       // empty: any
};

// The host's path at a point that is within a mount of `source` at `target`.
std::string source_of(const std::string& point, const std::string& source,
                      const std::string& target) {
  return point == target ? source : source + point.substr(target.size());
}

std::optional<Wanted> bind_at(const std::string& point, const Asked& asked) {
  for (const sandbox::ProfileMount& mount : asked.profile.mounts)
    if (is_within(point, mount.target)) {
      Options bounds{mount.writable ? "rw" : "ro", "nosuid"};
      bounds.insert(mount.device ? "noexec" : "nodev");
      return Wanted{bounds, source_of(point, mount.source, mount.target)};
    }
  for (const sandbox::HostMount& mount : asked.mounts)
    if (is_within(point, mount.target))
      return Wanted{{mount.writable ? "rw" : "ro", "nosuid", "nodev"},
                    source_of(point, mount.source, mount.target)};
  return std::nullopt;
}

std::optional<Wanted> wanted_at(const std::string& point, const Asked& asked) {
  if (point == "/") return Wanted{{"ro", "nosuid", "nodev", "noexec"}, "", "tmpfs"};
  if (point == "/proc" && asked.profile.proc != sandbox::ProcView::None)
    return Wanted{{"ro", "nosuid", "nodev", "noexec"}, "", "proc"};
  for (const sandbox::WritablePlace& place : asked.profile.places)
    if (point == place.path) {
      Wanted wanted{{"rw", "nosuid", "nodev"}, "", "tmpfs"};
      if (!place.executable) wanted.bounds.insert("noexec");
      return wanted;
    }
  if (std::ranges::find(asked.profile.masked, point) != asked.profile.masked.end())
    return Wanted{{"ro", "nosuid", "noexec"}, "?"};
  return bind_at(point, asked);
}

// Where mountinfo says that a bind of this path begins: below the root of the path's file system.
std::string place_of(const std::string& path) {
  proc::Mount nearest;
  for (const proc::Mount& mount : proc::mounts(::getpid()))
    if (is_within(path, mount.point) && mount.point.size() >= nearest.point.size()) nearest = mount;
  const std::string root = nearest.host_path == "/" ? "" : nearest.host_path;
  const std::string rest = nearest.point == "/" ? path : path.substr(nearest.point.size());
  return root + rest == "" ? "/" : root + rest;
}

// The very file, where it can be looked at: only root may go through another's root.
bool shows(int process, const proc::Mount& mount, const std::string& source) {
  struct stat seen{}, meant{};
  const std::string inside = "/proc/" + std::to_string(process) + "/root" + mount.point;
  if (::stat(inside.c_str(), &seen) == 0)
    return ::stat(source.c_str(), &meant) == 0 && seen.st_dev == meant.st_dev &&
           seen.st_ino == meant.st_ino;
  std::error_code error;
  return mount.host_path == place_of(fs::canonical(source, error));
}

void check_mount(Faults& faults, const Member& member, const proc::Mount& mount) {
  const auto wanted = wanted_at(mount.point, faults.asked);
  if (!wanted) return faults.expect(false, "sees what nobody asked for at " + mount.point);
  const Options bounds = bounds_of(mount);
  faults.expect(
      std::ranges::includes(bounds, wanted->bounds),
      mount.point + " is " + words(bounds) + " and lacks some of " + words(wanted->bounds));
  faults.expect(!mount.propagates, mount.point + " is shared with another mount namespace");
  if (!wanted->type.empty()) faults.equal("type of " + mount.point, mount.type, wanted->type);
  if (wanted->host_path.empty()) return faults.equal(mount.point, mount.host_path, "/");
  if (wanted->host_path != "?")
    faults.expect(
        shows(member.thread.process, mount, wanted->host_path),
        mount.point + " shows the host's " + mount.host_path + ", not " + wanted->host_path);
}

// The one that is on top of others in its place.
const proc::Mount* top_at(const std::vector<proc::Mount>& mounts, const std::string& point) {
  const auto found = std::ranges::find(mounts.rbegin(), mounts.rend(), point, &proc::Mount::point);
  return found == mounts.rend() ? nullptr : &*found;
}

void check_mounts(Faults& faults, const Member& member) {
  const auto mounts = proc::mounts(member.thread.process);
  faults.expect(!mounts.empty(), "no mounts can be read");
  for (const proc::Mount& mount : mounts)
    check_mount(faults, member, mount);
  for (const sandbox::WritablePlace& place : faults.asked.profile.places)
    faults.expect(top_at(mounts, place.path) != nullptr, "has no place " + place.path);
  const proc::Mount* proc = top_at(mounts, "/proc");
  if (faults.asked.profile.proc == sandbox::ProcView::None) return;
  faults.expect(proc != nullptr && proc->file_system.contains("hidepid=invisible"),
                "sees processes of others in /proc");
  if (faults.asked.profile.proc == sandbox::ProcView::Pids)
    faults.expect(proc != nullptr && proc->file_system.contains("subset=pid"),
                  "sees more than processes in /proc");
}

void check_root(Faults& faults, const Member& member) {
  const std::string root = "/proc/" + std::to_string(member.thread.process) + "/root";
  struct stat own{}, host{}, launchers{};
  struct statfs system{};
  const std::string launcher = "/proc/" + std::to_string(faults.box.launcher) + "/root/";
  const bool looked = ::stat((root + "/").c_str(), &own) == 0 && ::stat("/", &host) == 0 &&
                      ::stat(launcher.c_str(), &launchers) == 0 &&
                      ::statfs((root + "/").c_str(), &system) == 0;
  if (!looked) return;  // only root may look through this link
  faults.expect(own.st_dev != host.st_dev, "has the host's root");
  faults.expect(own.st_dev == launchers.st_dev && own.st_ino == launchers.st_ino,
                "has another root than its launcher");
  faults.expect(system.f_type == 0x01021994 /* tmpfs */, "has a root that is not a tmpfs");
  for (const auto& entry : fs::directory_iterator(root + "/")) {
    const std::string path = "/" + entry.path().filename().string();
    const sandbox::Profile& profile = faults.asked.profile;
    const auto leads_to = [&](const std::string& target) {
      return is_within(target, path);
    };
    const bool asked =
        path == "/proc" ||
        std::ranges::any_of(profile.mounts, leads_to, &sandbox::ProfileMount::target) ||
        std::ranges::any_of(profile.links, leads_to, &sandbox::ProfileLink::path) ||
        std::ranges::any_of(profile.files, leads_to, &sandbox::ProfileFile::path) ||
        std::ranges::any_of(profile.places, leads_to, &sandbox::WritablePlace::path) ||
        std::ranges::any_of(faults.asked.mounts, leads_to, &sandbox::HostMount::target);
    faults.expect(asked, "has " + path + " in its root, which nobody asked for");
  }
}

// Sockets to the daemon and the warden, handles of its own init, meters of its own cgroup.
const std::regex kLaunchersOwn(
    R"(socket:\[\d+\]|anon_inode:(\[pidfd\]|\[eventfd\]|seccomp notify|seccomp|\[pidfd:\d+\])|pidfd:\[\d+\]|/proc/(\d+/net/sockstat|sys/kernel/ns_last_pid)|/sys/fs/cgroup/.*/?assay-[^/]+(/.*)?)");

// Opened for reading, or sealed, so that nobody can write to it whatever his descriptor says.
bool is_only_read(int process, const std::string& target) {
  const std::string info = proc::text({process}, "fdinfo/0");
  const std::size_t at = info.find("flags:");
  const unsigned long flags =
      at == std::string::npos ? O_RDWR : std::stoul(info.substr(at + 6), nullptr, 8);
  if ((flags & O_ACCMODE) == O_RDONLY || target == "/dev/null") return true;
  const auto same = os::open("/proc/" + std::to_string(process) + "/fd/0", O_RDONLY);
  const int seals = same ? ::fcntl(same->get(), F_GET_SEALS) : -1;
  return seals >= 0 && (seals & F_SEAL_WRITE) != 0 && (seals & F_SEAL_SHRINK) != 0;
}

}  // namespace

void check_places(Faults& faults, const Member& member) {
  check_root(faults, member);
  faults.equal("working directory", proc::link(member.thread, "cwd"),
               member.role == Role::Program ? faults.asked.profile.work_dir : "/");
  if (member.thread.thread == member.thread.process) check_mounts(faults, member);
}

void check_descriptors(Faults& faults, const Member& member) {
  const auto open = proc::descriptors(member.thread.process);
  if (member.role != Role::Program) {
    for (const auto& [number, target] : open)
      faults.expect(
          std::regex_match(target, kLaunchersOwn) || target == faults.asked.profile.work_dir,
          "descriptor " + std::to_string(number) + " is " + target);
    return;
  }
  if (faults.asked.starts_others) return;
  std::size_t next = 0;
  for (const auto& [number, target] : open) {
    const bool in_order =
        number == static_cast<int>(next) && next < faults.asked.descriptors.size();
    faults.expect(in_order && target.starts_with(faults.asked.descriptors[next]),
                  "descriptor " + std::to_string(number) + " is " + target);
    ++next;
  }
  faults.expect(next == faults.asked.descriptors.size(), "lacks a descriptor");
  faults.expect(open.contains(0) && is_only_read(member.thread.process, open.at(0)),
                "can write to its input");
}

void check_environment(Faults& faults, const Member& member) {
  const auto found = proc::environment(member.thread.process);
  if (member.role != Role::Program)
    return faults.expect(found.empty(), "has an environment: " + (found.empty() ? "" : found[0]));
  if (faults.asked.starts_others) return;
  auto wanted = faults.asked.environment;
  std::ranges::sort(wanted);
  for (const std::string& variable : found)
    faults.expect(std::ranges::find(wanted, variable) != wanted.end(),
                  "has " + variable + " in its environment");
  faults.expect(found.size() == wanted.size(), "lacks a variable in its environment");
}

}  // namespace assay::test
