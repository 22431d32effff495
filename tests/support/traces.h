// What an engine may leave on the host, and secrets that must stay there.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <vector>

namespace assay::test {

std::size_t open_descriptors();  // of this process
// Cgroups, lock files and work directories that carry an instance's name.
std::vector<std::string> traces_of(const std::string& instance);
std::vector<std::string> cgroups_of(const std::string& instance);
void thaw(const std::string&
              instance);  // whatever of it is frozen: what a test that failed would leave for ever
std::vector<int> processes_with(const std::string& mark);  // in their command line
std::vector<int> children_of(int pid);
std::string status_line(int pid, const std::string& key);  // of /proc/PID/status
std::string random_word();

// A file with a secret in it. Whatever a box does, it stays as it was.
class Canary {
 public:
  explicit Canary(unsigned mode);
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& secret() const { return secret_; }
  [[nodiscard]] bool is_untouched() const;

 private:
  std::string path_;
  std::string secret_;
  struct stat before_{};
};

}  // namespace assay::test
