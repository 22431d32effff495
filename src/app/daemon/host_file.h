// 'src' files: opened by a small process that may read any file and does nothing else, because the
// daemon, which listens to strangers, may not.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "os/fd.h"

namespace assay::daemon {

// A regular file for reading. With prefixes it must lie below one of them, links resolved, else the
// request is invalid, whether the file exists or not. Never below /proc, /sys or /dev, unless a
// prefix lies there. What was checked is what was opened: no name is looked at twice.
Result<os::OwnedFd> open_host_file(const std::string& path,
                                   const std::vector<std::string>& prefixes);

// The process: answers until the other end is gone.
void serve_host_files(int socket, const std::vector<std::string>& prefixes);

// The daemon's side. Any thread may ask.
class HostFiles {
 public:
  explicit HostFiles(os::OwnedFd socket)
      : socket_(std::move(socket)), lock_(std::make_unique<std::mutex>()) {}
  Result<os::OwnedFd> open(const std::string& path);

 private:
  os::OwnedFd socket_;
  std::unique_ptr<std::mutex> lock_;
};

}  // namespace assay::daemon
