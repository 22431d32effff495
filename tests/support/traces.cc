#include "tests/support/traces.h"

#include <gtest/gtest.h>
#include <sys/random.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "os/cgroup.h"
#include "os/file.h"

namespace assay::test {
namespace {

namespace fs = std::filesystem;

std::string runtime_directory() {
  if (::geteuid() == 0) return "/run/assay";
  const char* session = std::getenv("XDG_RUNTIME_DIR");
  if (session != nullptr && ::access(session, W_OK) == 0) return std::string(session) + "/assay";
  return "/tmp/assay-" + std::to_string(::geteuid());
}

std::vector<int> all_processes() {
  std::vector<int> pids;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error))
    if (const int pid = std::atoi(entry.path().filename().c_str()); pid > 0) pids.push_back(pid);
  return pids;
}

std::string proc_file(int pid, const char* name) {
  return os::read_whole("/proc/" + std::to_string(pid) + "/" + name).value_or("");
}

}  // namespace

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
    count += entry.path().empty() ? 0 : 1;
  return count;
}

std::vector<std::string> cgroups_of(const std::string& instance) {
  std::vector<std::string> found;
  for (const os::Hierarchy& hierarchy : os::read_cgroup_layout().hierarchies) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(hierarchy.mount, error), end; !error && at != end;
         at.increment(error))
      if (at->path().filename() == "assay-" + instance) found.push_back(at->path());
  }
  return found;
}

std::vector<std::string> traces_of(const std::string& instance) {
  std::vector<std::string> found = cgroups_of(instance);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runtime_directory(), error)) {
    const std::string name = entry.path().filename();
    if (name == instance + ".lock" || name.starts_with("work-" + instance + "-"))
      found.push_back(entry.path());
  }
  return found;
}

void thaw(const std::string& instance) {
  for (const std::string& root : cgroups_of(instance)) {
    std::error_code error;
    for (fs::recursive_directory_iterator at(root, error), end; !error && at != end;
         at.increment(error)) {
      if (at->path().filename() == "freezer.state") (void)os::write_whole(at->path(), "THAWED");
      if (at->path().filename() == "cgroup.freeze") (void)os::write_whole(at->path(), "0");
    }
  }
}

std::vector<int> processes_with(const std::string& mark) {
  std::vector<int> found;
  for (const int pid : all_processes())
    if (pid != ::getpid() && proc_file(pid, "cmdline").contains(mark)) found.push_back(pid);
  return found;
}

std::string status_line(int pid, const std::string& key) {
  std::istringstream lines(proc_file(pid, "status"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(key + ":")) return line.substr(key.size() + 2);
  return "";
}

std::vector<int> children_of(int parent) {
  std::vector<int> found;
  for (const int pid : all_processes())
    if (status_line(pid, "PPid") == std::to_string(parent)) found.push_back(pid);
  return found;
}

std::string random_word() {
  std::uint64_t value = 0;
  (void)!::getrandom(&value, sizeof value, 0);
  return "canary" + std::to_string(value);
}

Canary::Canary(unsigned mode)
    : path_(fs::temp_directory_path() / random_word()), secret_(random_word()) {
  std::ofstream(path_) << secret_;
  ::chmod(path_.c_str(), mode);
  ::stat(path_.c_str(), &before_);
}

Canary::~Canary() {
  ::unlink(path_.c_str());
}

bool Canary::is_untouched() const {
  struct stat now{};
  return ::stat(path_.c_str(), &now) == 0 && now.st_ino == before_.st_ino &&
         now.st_mode == before_.st_mode && now.st_uid == before_.st_uid &&
         now.st_gid == before_.st_gid && now.st_nlink == before_.st_nlink &&
         now.st_size == before_.st_size && now.st_mtim.tv_sec == before_.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == before_.st_mtim.tv_nsec &&
         os::read_whole(path_).value_or("") == secret_;
}

}  // namespace assay::test
