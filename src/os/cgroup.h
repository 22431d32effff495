// How this host has its cgroups mounted, and one directory in them with one owner.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/fd.h"

namespace assay::os {

struct Hierarchy {
  std::string mount{};                     // "/sys/fs/cgroup/memory"
  std::vector<std::string> controllers{};  // v1: "memory"; v2: what cgroup.controllers lists
  bool v2 = false;
  bool writable = true;
  // Shows cgroups above this process's cgroup namespace, among which the kernel moves nobody.
  bool out_of_reach = false;
};

struct CgroupLayout {
  std::vector<Hierarchy> hierarchies{};

  [[nodiscard]] const Hierarchy* v1(std::string_view controller) const;
  [[nodiscard]] const Hierarchy* v2() const;  // the unified one, with or without controllers
};

// From /proc/self/mountinfo; nothing is touched. Pure in `mountinfo` but for reading v2's
// cgroup.controllers.
CgroupLayout read_cgroup_layout();
CgroupLayout parse_cgroup_layout(std::string_view mountinfo);

// This process's own cgroup in the unified hierarchy ("/user.slice/…"), from /proc/self/cgroup.
std::string own_cgroup_v2();

// Delegates a directory: its new owner may make cgroups below it and move its processes among them.
Status give_cgroup(const std::string& path, unsigned user, unsigned group);

// A directory in a cgroup hierarchy. Removing it needs it to be empty of processes.
class Cgroup {
 public:
  Cgroup() = default;
  static Result<Cgroup> make(const std::string& path);
  Cgroup(Cgroup&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Cgroup& operator=(Cgroup&& other) noexcept;
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  ~Cgroup();  // removes it and what is below it; waits a little for processes that are on their way
              // out

  void remove_if_empty();  // does not wait: who is still in there is left to the destructor

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Result<OwnedFd> open(const std::string& file, int flags) const;
  [[nodiscard]] Status write(const std::string& file, std::string_view content) const;
  [[nodiscard]] Status give_to(unsigned user, unsigned group) const {
    return give_cgroup(path_, user, group);
  }

 private:
  explicit Cgroup(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

void remove_cgroup(
    const std::string& path);  // an empty one; waits a little for processes on their way out

void thaw_cgroup(const std::string& path);  // in the v1 freezer; elsewhere nothing happens

// Kills what is in there, removes the directory and all below. For what a dead engine left.
void remove_cgroup_tree(const std::string& path);

}  // namespace assay::os
