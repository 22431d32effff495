#include "os/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "os/file.h"

namespace assay::os {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream stream{std::string(text)};
  while (std::getline(stream, part, separator))
    if (!part.empty()) parts.push_back(part);
  return parts;
}

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

// "… 25 30 0:22 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory"
std::optional<Hierarchy> parse_line(const std::string& line) {
  const std::size_t dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  const auto before = split(std::string_view(line).substr(0, dash), ' ');
  const auto after = split(std::string_view(line).substr(dash + 3), ' ');
  if (before.size() < 6 || after.size() < 3 || !after[0].starts_with("cgroup")) return std::nullopt;
  Hierarchy hierarchy{.mount = before[4], .v2 = after[0] == "cgroup2"};
  hierarchy.writable = has(split(before[5], ','), "rw") && has(split(after[2], ','), "rw");
  // What is mounted is told as seen from the own namespace's root; nsdelegate makes that root a
  // wall.
  hierarchy.out_of_reach = before[3].starts_with("/..") && has(split(after[2], ','), "nsdelegate");
  if (!hierarchy.v2)
    for (std::string& option : split(after[2], ','))
      if (option != "rw" && option != "ro" && !option.contains('='))
        hierarchy.controllers.push_back(option);
  return hierarchy;
}

std::vector<std::string> directories_in(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (!directory) return names;
  while (const dirent* entry =
             ::readdir(directory.get()))  // NOLINT(concurrency-mt-unsafe): own stream
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
      names.push_back(path + "/" + entry->d_name);
  return names;
}

// A process that was killed and reaped by its parent leaves its cgroup a moment later.
bool remove_patiently(const std::string& path) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return true;
    if (errno != EBUSY) return false;
    ::poll(nullptr, 0, attempt < 20 ? 1 : 10);
  }
  return false;
}

// The directory itself first: it is nearly always empty by then, and looking for children costs
// more than trying.
void remove_below(const std::string& path) {
  if (::rmdir(path.c_str()) == 0 || errno == ENOENT) return;
  for (const std::string& child : directories_in(path))
    remove_below(child);
  remove_patiently(path);
}

void kill_members(const std::string& path) {
  for (const std::string& child : directories_in(path))
    kill_members(child);
  thaw_cgroup(path);
  const auto members = read_whole(path + "/cgroup.procs");
  if (!members) return;
  for (const std::string& line : split(*members, '\n'))
    if (const pid_t pid = std::atoi(line.c_str()); pid > 1) ::kill(pid, SIGKILL);
}

}  // namespace

const Hierarchy* CgroupLayout::v1(std::string_view controller) const {
  for (const Hierarchy& hierarchy : hierarchies)
    if (!hierarchy.v2 && has(hierarchy.controllers, controller)) return &hierarchy;
  return nullptr;
}

const Hierarchy* CgroupLayout::v2() const {
  for (const Hierarchy& hierarchy : hierarchies)
    if (hierarchy.v2) return &hierarchy;
  return nullptr;
}

CgroupLayout parse_cgroup_layout(std::string_view mountinfo) {
  CgroupLayout layout;
  for (const std::string& line : split(mountinfo, '\n'))
    if (auto hierarchy = parse_line(line)) layout.hierarchies.push_back(std::move(*hierarchy));
  return layout;
}

CgroupLayout read_cgroup_layout() {
  CgroupLayout layout = parse_cgroup_layout(read_whole("/proc/self/mountinfo").value_or(""));
  for (Hierarchy& hierarchy : layout.hierarchies)
    if (hierarchy.v2)
      hierarchy.controllers =
          split(read_whole(hierarchy.mount + "/cgroup.controllers").value_or(""), ' ');
  for (Hierarchy& hierarchy : layout.hierarchies)
    for (std::string& name : hierarchy.controllers)
      std::erase(name, '\n');
  return layout;
}

std::string own_cgroup_v2() {
  for (const std::string& line : split(read_whole("/proc/self/cgroup").value_or(""), '\n'))
    if (line.starts_with("0::")) return line.substr(3);
  return "/";
}

Result<Cgroup> Cgroup::make(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) < 0) return system_error("make cgroup '" + path + "'");
  return Cgroup(path);
}

Cgroup& Cgroup::operator=(Cgroup&& other) noexcept {
  if (this != &other) {
    const Cgroup old(std::exchange(path_, std::exchange(other.path_, {})));
  }
  return *this;
}

void Cgroup::remove_if_empty() {
  if (!path_.empty() && ::rmdir(path_.c_str()) == 0) path_.clear();
}

Cgroup::~Cgroup() {
  if (!path_.empty()) remove_below(path_);
}

Result<OwnedFd> Cgroup::open(const std::string& file, int flags) const {
  return os::open(path_ + "/" + file, flags);
}

Status Cgroup::write(const std::string& file, std::string_view content) const {
  return write_whole(path_ + "/" + file, content);
}

Status give_cgroup(const std::string& path, unsigned user, unsigned group) {
  for (const char* name :
       {"", "/cgroup.procs", "/cgroup.threads", "/cgroup.subtree_control", "/tasks"}) {
    const std::string target = path + name;
    if (::chown(target.c_str(), user, group) < 0 && errno != ENOENT)
      return system_error("give '" + target + "' to user " + std::to_string(user));
  }
  return {};
}

void thaw_cgroup(const std::string& path) {
  (void)write_whole(path + "/freezer.state", "THAWED");
}

void remove_cgroup(const std::string& path) {
  remove_patiently(path);
}

void remove_cgroup_tree(const std::string& path) {
  if (!exists(path)) return;
  kill_members(path);
  remove_below(path);
}

}  // namespace assay::os
