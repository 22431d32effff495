// An assayd of a test's own, with the log it writes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "os/fd.h"
#include "os/process.h"

namespace assay::test {

constexpr int kPatience = 15'000;  // milliseconds, for what must happen soon

// A process that is watched, so that its number cannot become somebody else's meanwhile.
struct Seen {
  pid_t pid = 0;
  os::OwnedFd pidfd{};
};

class Daemon {
 public:
  using Start = Result<os::Process> (*)(const std::string& program,
                                        std::span<const std::string> arguments,
                                        std::span<const int> fds);
  explicit Daemon(std::vector<std::string> arguments, Start start = os::spawn);
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  bool says(const std::string& text);  // until a line contains it, or the end
  const std::string& whole_log();
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] std::string field(const std::string& key) const;  // the last of the log
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  void signal(int number) const { process_.send_signal(number); }
  int status() { return process_.wait(); }

  std::map<std::string, Seen> family();  // by name: "assayd" is the keeper

 private:
  os::Process process_;
  os::OwnedFd log_;
  std::string said_;
};

}  // namespace assay::test
