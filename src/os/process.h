// A child process with one owner: killed and reaped when the owner lets go.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "os/fd.h"

namespace assay::os {

class Process {
 public:
  Process() = default;
  Process(pid_t pid, OwnedFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  Process(Process&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)), pidfd_(std::move(other.pidfd_)) {}
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }
  [[nodiscard]] bool is_running() const { return pid_ != 0; }
  void send_signal(int signal) const;
  int wait();  // reaps; the wait status

 private:
  pid_t pid_ = 0;
  OwnedFd pidfd_;
};

// Starts a program with exactly these descriptors as 0, 1, 2, … and everything else closed.
Result<Process> spawn(const std::string& program, std::span<const std::string> arguments,
                      std::span<const int> fds);

// Leaves this core to the child that was just started on it, and goes on on another one if there is
// one. The scheduler would keep both on one core for milliseconds, while the other idles.
void step_aside();

}  // namespace assay::os
